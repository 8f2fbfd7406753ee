/** `engine/grants.ts` in Lua. */
export const GRANTS = `
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
        start = max(start, log.limit > 0 and roomAt(log, charge, log.ahead, log.limit, behindAt, 'own') or math.huge)
        if log.isRead then
          local left = log.stated - log.foreign
          local fits = min(charge, log.stated) <= left
          local readAt = fits and roomAt(log, charge, log.ahead, left, behindAt, 'read') or math.huge
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
  turns = turnsBut(member)
elseif waits or call.away then
  backUs = 50000
else
  grant()
end
`
