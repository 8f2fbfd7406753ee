/** `engine/parking.ts` in Lua. */
export const PARKING = `
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
`
