/**
 * What Valkey and Redis run for one call: `engine/decide.ts` in Lua, function by function, for versions from 6.2 on. One gate's keys
 * are a hash of what it knows, a sorted set of its members by when each was heard of, and a list for each of its limits; all
 * of them carry one hash tag. Everything it is told is in one argument of JSON; amounts are answered as text, since a number would lose
 * its fraction. It takes the time once, and touches no key that it is not given.
 */
export const SCRIPT = `
local STATE, MEMBERS, CHANNEL, TTL = KEYS[1], KEYS[2], ARGV[2], ARGV[3]
local call = cjson.decode(ARGV[1])
local redis_call = redis.call
local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min
local time = redis_call('TIME')
local clockUs = tonumber(time[1]) * 1000000 + tonumber(time[2])

local function text(number) return string.format('%.17g', number) end

local function numbers(line)
  local out = {}
  for word in string.gmatch(line or '', '[^ ]+') do out[#out + 1] = tonumber(word) or word end
  return out
end

local function line(...)
  local out = {}
  for index, value in ipairs({...}) do out[index] = type(value) == 'number' and text(value) or value end
  return table.concat(out, ' ')
end

local member, beat = call.member, call.heartbeatUs
local fields = {'epoch', 'offset', 'last', 'learning', 'park', 'probe', 'turns', 'nameless'}
for _, limit in ipairs(call.limits) do
  fields[#fields + 1] = 'l:' .. limit.id
  fields[#fields + 1] = 'a:' .. limit.id .. ':' .. member
end
local known = redis_call('HMGET', STATE, unpack(fields))
local epoch, offset, last = tonumber(known[1]) or 0, tonumber(known[2]) or 0, tonumber(known[3]) or 0
local learning = numbers(known[4] or '0 0 0 0')
local park = known[5] and numbers(known[5]) or nil
local probe = known[6] or nil
local nameless = numbers(known[8] or '0 0 0')
local writes = {}
local function write(field, value)
  writes[#writes + 1] = field
  writes[#writes + 1] = value
end

-- time
local function late(now) return call.at > 0 and now > call.at + call.patienceUs end
local now = clockUs + offset
if call.jumped and call.at > 0 and now > call.at then now = call.at end
if last > now + call.horizonUs + 100000 then now = last - call.horizonUs end
offset = now - clockUs
local function hasLearnt()
  if learning[4] == 0 or now - learning[4] > beat then return false end
  return call.epoch ~= epoch or call.heardAt <= learning[4]
end
if not call.jumped and late(now) then
  redis_call('HSET', STATE, 'offset', text(offset))
  if epoch ~= 0 and call.epoch == epoch and not hasLearnt() then
    learning = {now - call.patienceUs, now + 2 * beat, max(call.members, learning[3]), now}
    redis_call('HSET', STATE, 'learning', line(unpack(learning)))
    if call.members > 1 then redis_call('PUBLISH', CHANNEL, ARGV[4]) end
  end
  redis_call('PEXPIRE', STATE, TTL)
  return {1, now}
end
learning[4] = min(learning[4], now)
if learning[2] > now + 2 * beat then
  learning[1], learning[2] = min(learning[1], now - call.patienceUs), now + 2 * beat
end

-- log
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

-- accounts
local lost = call.epoch ~= 0 and call.epoch ~= epoch
for _, log in ipairs(limits) do
  local forgotten = max(0, log.told.granted - log.granted)
  local missing = min(forgotten + max(0, log.told.extra - log.extra), log.told.recent)
  if missing > 0 then
    add(log, missing, max(now, last))
    last = max(last, now)
  end
  if forgotten > 0 and log.told.recent > 0 then lost = true end
  log.granted = log.granted + forgotten
  log.extra = max(log.extra, log.told.extra)
end

-- turns
local turns = {}
for memberOf, untilAt, charges in string.gmatch(known[7] or '', '([^ ;]+) ([^ ;]+) ([^ ;]*);') do
  local turn = {member = memberOf, untilAt = tonumber(untilAt), text = charges, charges = {}}
  for id, charge in string.gmatch(charges, '([^=,]+)=([^=,]+)') do turn.charges[id] = tonumber(charge) end
  turns[#turns + 1] = turn
end
local function turnsBut(but)
  local out = {}
  for _, turn in ipairs(turns) do
    if turn.member ~= but then out[#out + 1] = turn end
  end
  return out
end

-- members
local goneAt = now - 3 * beat
local function live() return redis_call('ZCOUNT', MEMBERS, text(goneAt), '+inf') end
local function inTouch(since) return redis_call('ZCOUNT', MEMBERS, text(since), text(now)) end
local function isLive(name)
  local at = redis_call('ZSCORE', MEMBERS, name)
  return at and tonumber(at) >= goneAt
end
local oldAt = goneAt - max(2 * longest, call.holdBackUs)
for _, old in ipairs(redis_call('ZRANGEBYSCORE', MEMBERS, '-inf', '(' .. text(oldAt), 'LIMIT', 0, 8)) do
  if old ~= member then
    redis_call('ZREM', MEMBERS, old)
    redis_call('HDEL', STATE, 'p:' .. old)
    for _, log in ipairs(limits) do redis_call('HDEL', STATE, 'a:' .. log.id .. ':' .. old) end
  end
end
local begins = (lost or call.away) and not hasLearnt()
local sameMemory = call.epoch == epoch
if epoch == 0 then epoch = call.newEpoch end
if not call.away and not call.leaves then
  if call.epoch ~= 0 and not redis_call('ZSCORE', MEMBERS, member) then nameless[1] = max(0, nameless[1] - 1) end
  redis_call('ZADD', MEMBERS, text(now), member)
end
if call.back and learning[3] == 0 and inTouch(now - call.patienceUs) < call.members then begins = true end
if begins then
  local since = now - call.patienceUs
  if sameMemory and lost then since = now end
  if not sameMemory and not call.away then since = 0 end
  learning = {since, now + 2 * beat, max(call.members, learning[3]), now}
end
local waits = false
local parts = 1
if call.leaves then
  redis_call('ZADD', MEMBERS, text(goneAt - 1), member)
  turns = turnsBut(member)
  if probe == member then probe = nil end
  write('p:' .. member, '0')
else
  if learning[3] > 0 then
    local heard = inTouch(learning[1])
    if now < learning[2] and heard < learning[3] then
      waits = true
    else
      if call.holdBackUs > 0 then nameless = {max(0, learning[3] - heard), learning[3], now} end
      learning = {0, 0, 0, learning[4]}
    end
  end
  parts = max(live(), waits and learning[3] or 0, 1)
  if call.away then parts = max(parts, call.members) else write('p:' .. member, text(parts)) end
end

-- parking
local told = call.park
local told_probe = call.probe
local isProber = probe == member
if probe and not isLive(probe) and probe ~= member then
  probe = nil
  isProber = false
end
local parkedBefore = park and park[1]
if told_probe == 'reopened' and (isProber or not probe) then
  park, probe = nil, nil
end
if isProber and told_probe == 'lost' then probe = nil end
if told then
  local untilAt = max(park and park[1] or 0, now + told.forUs)
  local same = park and untilAt == park[1]
  park = {
    untilAt,
    same and park[2] or (told.hinted and 1 or 0),
    max(park and park[3] or 0, told.ceilingUs),
    (told.broken or (same and park[4] == 1)) and 1 or 0
  }
  if told.broken and not probe then probe = member end
end
local news = (park and park[1]) ~= parkedBefore or (begins and call.members > 1)

if not call.leaves then
  for _, log in ipairs(limits) do
    if log.asked <= log.smallest or log.smallest == 0 or now - log.smallestAt > 3 * beat then
      log.smallest = log.asked
      log.smallestAt = now
    end
  end
end

-- readings
for _, reading in ipairs(call.readings) do
  local log = limits[reading.index + 1]
  if log and reading['until'] > now and reading.sentAt >= log.sentAt then
    local before = totalAt(log, reading.possiblySinceAt)
    local possibly = before and (totalAt(log, reading.takenAt) or 0) - before or math.huge
    local left = totalAt(log, reading.surelySinceAt)
    local surely = left and max(0, (totalAt(log, reading.sentAt - reading.transitUs) or 0) - left) or 0
    local lower = max(0, reading.used - possibly)
    log.sentAt = reading.sentAt
    log.untilAt = reading['until']
    if lower > 0 then log.provenUntil = reading['until'] end
    log.stated = reading.stated
    log.foreign = lower
    if reading.takenAt < log.provenUntil then log.foreign = max(0, reading.used - surely) end
  end
end

-- grants
local function heldBack(limit)
  if call.holdBackUs == 0 then return 0 end
  local sum = 0
  if nameless[1] > 0 and nameless[3] >= now - call.holdBackUs then sum = nameless[1] * floor(limit / nameless[2]) end
  local from = text(goneAt - call.holdBackUs)
  for _, gone in ipairs(redis_call('ZRANGEBYSCORE', MEMBERS, from, '(' .. text(goneAt))) do
    local of = tonumber(redis_call('HGET', STATE, 'p:' .. gone) or '0')
    if of > 0 then sum = sum + floor(limit / of) end
  end
  return sum
end

local starts, backUs, grantsProbe = {}, 0, false
local function grant()
  local wanted = {}
  for _, want in ipairs(call.wants) do
    for _ = 1, want.count do wanted[#wanted + 1] = want.charges end
  end
  if #wanted == 0 then
    turns = turnsBut(member)
    return
  end
  if park and now < park[1] then
    backUs = max(park[1] - now, 5000)
    return
  end
  if park and probe then
    backUs = max(floor(beat / 2), 5000)
    return
  end
  local probes = park ~= nil
  local cap = probes and 1 or max(4, floor(64 / max(1, live())))
  local aheadOf, dueAt = {}, math.huge
  for _, turn in ipairs(turns) do
    if turn.member == member then break end
    if turn.untilAt >= now then
      dueAt = min(dueAt, turn.untilAt - call.patienceUs)
      for id, charge in pairs(turn.charges) do aheadOf[id] = (aheadOf[id] or 0) + charge end
    end
  end
  local behindAt = max(now + 5000, dueAt) + call.horizonUs
  local hinted = park and park[2] == 1
  for _, log in ipairs(limits) do
    log.limit = log.smallest - heldBack(log.smallest)
    log.ahead = aheadOf[log.id] or 0
    log.isRead = log.untilAt > now and not hinted
  end
  local back = 0
  for index = 1, min(cap, #wanted) do
    local charges = wanted[index]
    local start = max(now, last)
    for at, log in ipairs(limits) do
      local charge = charges[at]
      if charge > 0 then
        log.cursor = nil
        start = max(start, log.limit > 0 and roomAt(log, charge, log.ahead, log.limit, behindAt) or math.huge)
        if log.isRead then
          local left = log.stated - log.foreign
          log.cursor = nil
          local readAt = min(charge, log.stated) <= left and roomAt(log, charge, log.ahead, left, behindAt) or math.huge
          start = max(start, min(readAt, log.untilAt))
        end
      end
    end
    if start > now + call.horizonUs then
      back = start - call.horizonUs
      break
    end
    for at, log in ipairs(limits) do
      add(log, charges[at], start)
      log.granted = log.granted + charges[at]
    end
    last = start
    starts[#starts + 1] = start - now
  end
  if probes and #starts > 0 then
    probe = member
    grantsProbe = true
  end
  if back == 0 then back = probes and now + floor(beat / 2) or last - floor(call.horizonUs / 4) end
  local place, others = nil, {}
  for _, turn in ipairs(turns) do
    if turn.untilAt >= now then
      if turn.member == member then place = #others + 1 else others[#others + 1] = turn end
    end
  end
  turns = others
  local rest = min(#wanted, #starts + cap)
  if rest == #starts then return end
  backUs = min(max(back - now, 5000), max(longest, 5000))
  if #turns >= 32 then return end
  local sums = {}
  for at, log in ipairs(limits) do
    local sum = 0
    for index = #starts + 1, rest do sum = sum + wanted[index][at] end
    sums[at] = log.id .. '=' .. text(sum)
  end
  local turn = {member = member, untilAt = now + backUs + call.patienceUs, text = table.concat(sums, ',')}
  if #starts > 0 or not place then place = #turns + 1 end
  table.insert(turns, place, turn)
end
if call.leaves then
  turns = turnsBut(member, false)
elseif waits or call.away then
  backUs = 50000
else
  grant()
end

-- keep
local kept = {}
for _, turn in ipairs(turns) do kept[#kept + 1] = line(turn.member, turn.untilAt, turn.text) .. ';' end
write('epoch', text(epoch))
write('offset', text(offset))
write('last', text(last))
write('learning', line(unpack(learning)))
write('nameless', line(unpack(nameless)))
write('turns', table.concat(kept))
if park then write('park', line(unpack(park))) else redis_call('HDEL', STATE, 'park') end
if probe then write('probe', probe) else redis_call('HDEL', STATE, 'probe') end
for _, log in ipairs(limits) do
  write('l:' .. log.id, line(log.total, log.gone, log.dead, log.forgets, log.smallest, log.smallestAt,
    log.stated, log.foreign, log.untilAt, log.provenUntil, log.sentAt))
  write('a:' .. log.id .. ':' .. member, line(log.granted, log.extra))
end
redis_call('HSET', STATE, unpack(writes))
for _, key in ipairs(KEYS) do redis_call('PEXPIRE', key, TTL) end
if news then redis_call('PUBLISH', CHANNEL, ARGV[4]) end

local probing = 0
if probe then probing = probe == member and 1 or 2 end
local reply = {
  0, now, epoch, parts, waits and 1 or 0,
  park and max(0, park[1] - now) or -1, park and park[2] or 0, park and park[3] or 0, park and park[4] or 0,
  probing, backUs, grantsProbe and 1 or 0, #starts
}
for _, start in ipairs(starts) do reply[#reply + 1] = start end
for _, log in ipairs(limits) do
  reply[#reply + 1] = text(log.granted)
  reply[#reply + 1] = text(min(log.asked, log.smallest > 0 and log.smallest or log.asked))
end
return reply
`
