/** `engine/parts.ts` in Lua. Of what is wanted from a place on, `lastDue` is the place of the last that is due. */
export const PARTS = `
local function partsOf(members)
  local parts = {}
  for at, log in ipairs(limits) do parts[at] = members > 1 and log.limit / members or math.huge end
  return parts
end

local function lastDue(wanted, from, parts, hasTurn, least)
  local taken = {}
  for index = from, #wanted do
    for at, part in ipairs(parts) do
      local charge, before = wanted[index][at], taken[at] or 0
      local isBeyond = before + charge > part
      if hasTurn then isBeyond = before >= part end
      if index >= from + least and charge > 0 and isBeyond then return index - 1 end
      taken[at] = before + charge
    end
  end
  return #wanted
end
`
