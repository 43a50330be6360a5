-- Every payout gets an id of its own.
wrk.method = "POST"
wrk.headers["x-api-key"] = "SandrampFullAccessKey00000000001"
wrk.headers["content-type"] = "application/json"

math.randomseed(os.time())

local head = '{"user_id":"11111111-1111-4111-8111-000000000001","currency":"NGN","customer_payout_id":"'
local tail = '","amount":"1.00","recipient_details":{"bank_name":"Access Bank",' ..
  '"account_holder_name":"Ada Okafor","recipient_account_number":"0690000031"}}'

local function id()
  local word = function() return math.random(0, 0xffff) end
  return string.format("%04x%04x-%04x-4%03x-8%03x-%04x%04x%04x", word(), word(), word(),
    math.random(0, 0xfff), math.random(0, 0xfff), word(), word(), word())
end

request = function()
  return wrk.format(nil, nil, nil, head .. id() .. tail)
end
