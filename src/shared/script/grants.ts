/** `engine/grants.ts` in Lua. */
export const GRANTS = `
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
  dropLapsed()
  local probes = park ~= nil
  local aheadOf, dueAt = ahead()
  local behindAt = max(now + 5000, dueAt) + call.horizonUs
  local hinted = park and park[2] == 1
  for _, log in ipairs(limits) do
    log.limit = log.smallest - heldBack(log.smallest)
    log.ahead = aheadOf[log.id] or 0
    log.isRead = log.untilAt > now and not hinted
  end
  local members = live()
  local most = probes and 1 or max(4, floor(64 / max(1, members)))
  local partOf = partsOf(members)
  local due = lastDue(wanted, 1, partOf, claim())
  local back
  for index = 1, min(due, most) do
    local charges = wanted[index]
    local start = max(now, last)
    for at, log in ipairs(limits) do
      local charge = charges[at]
      if charge > 0 then
        local fits = log.limit == log.smallest or charge <= log.limit
        start = max(start, fits and roomAt(log, charge, log.ahead, log.limit, behindAt, 'own') or math.huge)
        if log.isRead then
          local left = log.stated - log.foreign
          local leaves = min(charge, log.stated) <= left
          local readAt = leaves and roomAt(log, charge, log.ahead, left, behindAt, 'read') or math.huge
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
  local left = back and lastDue(wanted, #starts + 1, partOf, true, 1) or due
  if back == math.huge then left = #starts end
  if #starts < #wanted then
    back = back or (probes and now + floor(beat / 2) or last - floor(call.horizonUs / 4))
    backUs = min(max(back - now, 5000), max(longest, 5000))
  end
  keepTurn(wanted, #starts + 1, min(left, #starts + most), now + backUs + call.patienceUs)
end
if call.leaves then
  turns = turnsBut(member)
elseif waits or call.away then
  backUs = 50000
else
  grant()
end
`
