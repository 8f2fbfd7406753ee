/** `engine/members.ts` in Lua. Members are a sorted set by when each was heard of. */
export const MEMBERS = `
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
local heard, parts = 1, 0
if call.leaves then
  redis_call('ZADD', MEMBERS, text(goneAt - 1), member)
  turns = turnsBut(member)
  if probe == member then probe = nil end
  write('p:' .. member, '0')
else
  if learning[3] > 0 then
    local come = inTouch(learning[1])
    if now < learning[2] and come < learning[3] then
      waits = true
    else
      if call.holdBackUs > 0 then nameless = {max(0, learning[3] - come), learning[3], now} end
      learning = {0, 0, 0, learning[4]}
    end
  end
  heard = max(live(), waits and learning[3] or 0, 1)
  if call.away then heard = max(heard, call.members) end
  if call.holdBackUs == 0 then
    parts = heard
  elseif waits or call.away then
    parts = call.parts
  else
    parts = partsAlone()
  end
  if not call.away then write('p:' .. member, text(fewer(call.parts, parts))) end
end
if not call.leaves then
  for _, log in ipairs(limits) do
    if log.asked <= log.smallest or log.smallest == 0 or now - log.smallestAt > 3 * beat then
      log.smallest = log.asked
      log.smallestAt = now
    end
  end
end
`
