-- Sends the requests of a file, one after the other and again: whole HTTP requests, each ended by a NUL. Prints what came of it as JSON.
local requests, n = {}, 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("([^%z]+)%z") do requests[#requests + 1] = request end
  file:close()
end

function request()
  n = n % #requests + 1
  return requests[n]
end

function done(summary, latency)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  print(string.format('RESULT {"requests":%d,"seconds":%f,"failed":%d,"p50_ms":%f,"p99_ms":%f}', summary.requests,
    summary.duration / 1e6, failed, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
