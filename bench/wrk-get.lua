wrk.headers["x-api-key"] = "SandrampFullAccessKey00000000001"
