/** `engine/turns.ts` in Lua. Turns are kept as text in one field. */
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

local function dropLapsed()
  local out = {}
  for _, turn in ipairs(turns) do
    if turn.untilAt >= now then out[#out + 1] = turn end
  end
  turns = out
end

local function claim()
  local others = turnsBut(member)
  return #others < #turns, #others > 0 and 1 or 2
end

-- Charges of those before this member, and when the first of them is to come.
local function ahead()
  local charges, dueAt = {}, math.huge
  for _, turn in ipairs(turns) do
    if turn.member == member then break end
    dueAt = min(dueAt, turn.untilAt - call.patienceUs)
    for id, charge in pairs(turn.charges) do charges[id] = (charges[id] or 0) + charge end
  end
  return charges, dueAt
end

-- What is reserved are the attempts from one place to another, none where the second comes first.
local function keepTurn(wanted, from, to, untilAt)
  local place
  for index, turn in ipairs(turns) do
    if turn.member == member and from == 1 then place = index end
  end
  turns = turnsBut(member)
  if to < from or #turns >= 32 then return end
  local sums = {}
  for at, log in ipairs(limits) do
    local sum = 0
    for index = from, to do sum = sum + wanted[index][at] end
    sums[at] = log.id .. '=' .. text(sum)
  end
  table.insert(turns, place or #turns + 1, {member = member, untilAt = untilAt, text = table.concat(sums, ',')})
end
`
