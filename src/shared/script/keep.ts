/** Writes what has changed, tells the members where that is news, and answers. */
export const KEEP = `
local kept = {}
for _, turn in ipairs(turns) do kept[#kept + 1] = line(turn.member, turn.untilAt, turn.text) .. ';' end
write('epoch', text(epoch))
write('offset', text(offset))
write('last', text(last))
write('learning', line(unpack(learning)))
write('nameless', line(unpack(nameless)))
write('turns', table.concat(kept))
if park then write('park', line(unpack(park))) elseif known[5] then redis_call('HDEL', STATE, 'park') end
if probe then write('probe', probe) elseif known[6] then redis_call('HDEL', STATE, 'probe') end
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
  0, now, epoch, heard, parts, waits and 1 or 0,
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
