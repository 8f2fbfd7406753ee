/** `engine/alone.ts` in Lua. */
export const ALONE = `
local function recorded(name) return tonumber(redis_call('HGET', STATE, 'p:' .. name) or '0') end
local function roundedUp(number) return ceil(number - 1e-9) end
local function fewer(known, told) return known > 0 and told > 0 and min(known, told) or max(known, told) end

-- Of those held back. Read once in a call, after this member was taken in.
local goneParts
local function partsOfGone()
  if goneParts then return goneParts end
  goneParts = {}
  local from = text(goneAt - call.holdBackUs)
  for _, gone in ipairs(redis_call('ZRANGEBYSCORE', MEMBERS, from, '(' .. text(goneAt))) do
    local of = recorded(gone)
    if of > 0 then goneParts[#goneParts + 1] = of end
  end
  return goneParts
end

local function held(one)
  if call.holdBackUs == 0 then return 0 end
  local sum = 0
  if nameless[1] > 0 and nameless[3] >= now - call.holdBackUs then sum = nameless[1] * one(nameless[2]) end
  for _, of in ipairs(partsOfGone()) do sum = sum + one(of) end
  return sum
end
local function heldBack(limit) return held(function(of) return floor(limit / of) end) end

local function partsAlone()
  local left = 1 - held(function(of) return 1 / of end)
  local equal = left < 1e-9 and 0 or roundedUp(live() / left)
  if equal == 0 or (call.parts > 0 and equal >= call.parts) then return equal end
  local others = 0
  for _, other in ipairs(redis_call('ZRANGEBYSCORE', MEMBERS, text(goneAt), '+inf')) do
    local of = other == member and 0 or recorded(other)
    if of > 0 then others = others + 1 / of end
  end
  local free = left - others
  return free < 1e-9 and 0 or max(equal, roundedUp(1 / free))
end
`
