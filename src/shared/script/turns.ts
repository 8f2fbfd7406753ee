/** The turns of `engine/grants.ts` as they are kept: text in one field. */
export const TURNS = `
local turns = {}
for memberOf, untilAt, charges in string.gmatch(known[7] or '', '([^ ;]+) ([^ ;]+) ([^ ;]*);') do
  local turn = {member = memberOf, untilAt = tonumber(untilAt), text = charges, charges = {}}
  for id, charge in string.gmatch(charges, '([^=,]+)=([^=,]+)') do turn.charges[id] = tonumber(charge) end
  turns[#turns + 1] = turn
end
local function turnsBut(but)
  local out = {}
  for _, turn in ipairs(turns) do
    if turn.member ~= but then out[#out + 1] = turn end
  end
  return out
end
`
