/** `engine/time.ts` in Lua, and what `engine/decide.ts` does with a call that comes late. */
export const TIME = `
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
`
