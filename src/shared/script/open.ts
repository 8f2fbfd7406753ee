/** The call, what is kept of the gate, and how both are read and written. It takes the time once. */
export const OPEN = `
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
`
