/** `engine/readings.ts` in Lua. */
export const READINGS = `
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
`
