/** `engine/log.ts` in Lua. A log is a list of entries, each a running total and the instant by which it was granted. */
export const LOG = `
local limits = {}
local longest = 0
for index, limit in ipairs(call.limits) do
  local kept = numbers(known[7 + index * 2])
  local account = numbers(known[8 + index * 2])
  limits[index] = {
    id = limit.id, key = KEYS[2 + index], windowUs = limit.windowUs, asked = limit.limit, told = limit,
    total = kept[1] or 0, gone = kept[2] or 0, dead = kept[3] or 0, forgets = kept[4] or 0,
    smallest = kept[5] or 0, smallestAt = kept[6] or 0,
    stated = kept[7] or 0, foreign = kept[8] or 0, untilAt = kept[9] or 0, provenUntil = kept[10] or 0, sentAt = kept[11] or 0,
    granted = account[1] or 0, extra = account[2] or 0
  }
  longest = max(longest, limit.windowUs)
  if known[7 + index * 2] == false then redis_call('DEL', KEYS[2 + index]) end
end

local function parsed(entry)
  local at = string.find(entry, ' ', 1, true)
  return tonumber(string.sub(entry, 1, at - 1)), tonumber(string.sub(entry, at + 1))
end

local CHUNK = 32
local function each(log, from, visit)
  while true do
    local entries = redis_call('LRANGE', log.key, from, from + CHUNK - 1)
    for index, entry in ipairs(entries) do
      local stop, stamp = parsed(entry)
      if visit(stop, stamp, from + index - 1) then return end
    end
    if #entries < CHUNK then return end
    from = from + CHUNK
  end
end

local function add(log, weight, start)
  if weight == 0 then return end
  log.total = log.total + weight
  local step = max(1000, ceil(log.windowUs / 1000))
  local stamp = ceil(start / step) * step
  local tail = redis_call('LINDEX', log.key, -1)
  local tailStamp = nil
  if tail then
    local _, at = parsed(tail)
    tailStamp = at
  end
  stamp = max(stamp, tailStamp or 0)
  if tailStamp == stamp and redis_call('LLEN', log.key) > log.dead then
    redis_call('LSET', log.key, -1, line(log.total, stamp))
  else
    redis_call('RPUSH', log.key, line(log.total, stamp))
  end
end

local function advance(log)
  if log.total > log.gone and redis_call('EXISTS', log.key) == 0 then
    local lost = log.total - log.gone
    log.dead, log.gone, log.total, log.forgets = 0, log.total - lost, log.total - lost, 1
    add(log, lost, max(now, last))
  end
  each(log, log.dead, function(stop, stamp)
    if stamp + log.windowUs > now then return true end
    log.gone = stop
    log.dead = log.dead + 1
  end)
  local keptUs = log.windowUs + floor(log.windowUs / 4)
  local dropped = 0
  each(log, 0, function(_, stamp, index)
    if index >= log.dead or stamp + keptUs > now then return true end
    dropped = dropped + 1
  end)
  if dropped > 0 then
    redis_call('LPOP', log.key, dropped)
    log.dead = log.dead - dropped
    log.forgets = 1
  end
end

local function roomAt(log, weight, ahead, limit, behindAt)
  local wanted = min(log.total + ahead + weight - limit, log.total + ahead)
  local target = wanted - (log.total + limit) * 2 ^ -48
  if log.gone >= target then return -math.huge end
  local found, newest = nil, -math.huge
  local from = log.cursor or log.dead
  each(log, from, function(stop, stamp, index)
    newest = stamp
    if stop >= target then
      found = stamp
      log.cursor = index
      return true
    end
  end)
  if found then return found + log.windowUs end
  if newest == -math.huge then
    local tail = redis_call('LINDEX', log.key, -1)
    if tail then
      local _, stamp = parsed(tail)
      newest = stamp
    end
  end
  return max(newest + log.windowUs, behindAt)
end

-- The total of the last entry whose stamp is at or before an instant; nil where that is no longer known.
local function totalAt(log, at)
  local low, high = 0, redis_call('LLEN', log.key)
  local total = nil
  while low < high do
    local middle = floor((low + high) / 2)
    local stop, stamp = parsed(redis_call('LINDEX', log.key, middle))
    if stamp <= at then
      total = stop
      low = middle + 1
    else
      high = middle
    end
  end
  if total or log.forgets == 1 then return total end
  return 0
end

for _, log in ipairs(limits) do advance(log) end

-- Members of a memory that is lost have told this one nothing.
if epoch == 0 then redis_call('DEL', MEMBERS) end
`
