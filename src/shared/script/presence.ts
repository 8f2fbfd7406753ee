/** `engine/presence.ts` in Lua. */
export const PRESENCE = `
local goneAt = now - 3 * beat
local function live() return redis_call('ZCOUNT', MEMBERS, text(goneAt), '+inf') end
local function inTouch(since) return redis_call('ZCOUNT', MEMBERS, text(since), text(now)) end
local function isLive(name)
  local at = redis_call('ZSCORE', MEMBERS, name)
  return at and tonumber(at) >= goneAt
end
`
