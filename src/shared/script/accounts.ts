/** `engine/accounts.ts` in Lua. */
export const ACCOUNTS = `
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
`
