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

-- Entries are read in chunks and kept for the rest of the call.
local CHUNK = 8
local function entryAt(log, index)
  if index < 0 or index >= log.size then return nil end
  if not log.entries[index] then
    for offset, entry in ipairs(redis_call('LRANGE', log.key, index, index + CHUNK - 1)) do
      local stop, stamp = parsed(entry)
      log.entries[index + offset - 1] = {stop, stamp}
    end
  end
  return log.entries[index][1], log.entries[index][2]
end

local function add(log, weight, start)
  if weight == 0 then return end
  log.total = log.total + weight
  local step = max(1000, ceil(log.windowUs / 1000))
  local stamp = ceil(start / step) * step
  local _, tailStamp = entryAt(log, log.size - 1)
  stamp = max(stamp, tailStamp or 0)
  if tailStamp == stamp and log.size > log.dead then
    redis_call('LSET', log.key, -1, line(log.total, stamp))
  else
    log.size = redis_call('RPUSH', log.key, line(log.total, stamp))
  end
  log.entries[log.size - 1] = {log.total, stamp}
end

local function advance(log)
  log.size, log.entries = redis_call('LLEN', log.key), {}
  if log.total > log.gone and log.size == 0 then
    local lost = log.total - log.gone
    log.dead, log.gone, log.total, log.forgets = 0, log.total - lost, log.total - lost, 1
    add(log, lost, max(now, last))
  end
  local stop, stamp = entryAt(log, log.dead)
  while stop and stamp + log.windowUs <= now do
    log.gone = stop
    log.dead = log.dead + 1
    stop, stamp = entryAt(log, log.dead)
  end
  local keptUs = log.windowUs + floor(log.windowUs / 4)
  local dropped = 0
  while dropped < log.dead and select(2, entryAt(log, dropped)) + keptUs <= now do dropped = dropped + 1 end
  if dropped > 0 then
    redis_call('LPOP', log.key, dropped)
    log.size, log.entries = log.size - dropped, {}
    log.dead = log.dead - dropped
    log.forgets = 1
  end
end

-- Targets only grow within a call: each bound goes on where it has found the last one, whose name is cursor.
local function roomAt(log, weight, ahead, limit, behindAt, cursor)
  local wanted = min(log.total + ahead + weight - limit, log.total + ahead)
  local target = wanted - (log.total + limit) * 2 ^ -48
  if log.gone >= target then return -math.huge end
  local index = log[cursor] or log.dead
  local stop, stamp = entryAt(log, index)
  while stop and stop < target do
    index = index + 1
    stop, stamp = entryAt(log, index)
  end
  log[cursor] = index
  if stop then return stamp + log.windowUs end
  local _, newest = entryAt(log, log.size - 1)
  return max((newest or -math.huge) + log.windowUs, behindAt)
end

-- The total of the last entry whose stamp is at or before an instant; nil where that is no longer known.
local function totalAt(log, at)
  local low, high = 0, log.size
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
