/** Events in the shapes that AWS documents, made from a request the way each sender makes them. */
export interface RawRequest {
  method: string;
  /** Path and query as a client writes them. */
  target: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}

export const SOURCE_IP = "203.0.113.7";

type Pairs = [name: string, value: string][];

const last = (pairs: Pairs) => (pairs.length > 0 ? Object.fromEntries(pairs) : null);

function lists(pairs: Pairs): Record<string, string[]> | null {
  if (pairs.length === 0) return null;
  const names = [...new Set(pairs.map(([name]) => name))];
  return Object.fromEntries(
    names.map((name) => [name, pairs.filter(([key]) => key === name).map(([, value]) => value)]),
  );
}

function split(target: string): { path: string; query: string } {
  const [path = "/", ...query] = target.split("?");
  return { path, query: query.join("?") };
}

const rawPairs = (query: string): Pairs =>
  query === ""
    ? []
    : query.split("&").map((pair) => {
        const [name = "", ...value] = pair.split("=");
        return [name, value.join("=")];
      });

function bodyOf({ body }: RawRequest) {
  if (body === undefined) return { body: null, isBase64Encoded: false };
  if (typeof body === "string") return { body, isBase64Encoded: false };
  return { body: Buffer.from(body).toString("base64"), isBase64Encoded: true };
}

/** The sender appends the address it was called from to whatever the client wrote. */
function forwarded(headers: Record<string, string>): Record<string, string> {
  const before = headers["x-forwarded-for"];
  return { ...headers, "x-forwarded-for": before ? `${before}, ${SOURCE_IP}` : SOURCE_IP };
}

const titleCase = (name: string) => name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());

/** API Gateway REST API: names and values of the query are decoded, the path is not. */
export function restEvent(request: RawRequest) {
  const { path, query } = split(request.target);
  const pairs: Pairs = [...new URLSearchParams(query)];
  const headers: Pairs = Object.entries({
    Host: "abc123.execute-api.us-east-1.amazonaws.com",
    "X-Forwarded-Proto": "https",
    ...forwarded(request.headers ?? {}),
  }).map(([name, value]) => [titleCase(name), value]);
  return {
    resource: "/{proxy+}",
    path,
    httpMethod: request.method,
    headers: last(headers),
    multiValueHeaders: lists(headers),
    queryStringParameters: last(pairs),
    multiValueQueryStringParameters: lists(pairs),
    pathParameters: { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: {
      accountId: "123456789012",
      apiId: "abc123",
      domainName: "abc123.execute-api.us-east-1.amazonaws.com",
      domainPrefix: "abc123",
      httpMethod: request.method,
      identity: { accessKey: null, caller: null, sourceIp: SOURCE_IP, userAgent: "test", user: null },
      path: `/prod${path}`,
      protocol: "HTTP/1.1",
      requestId: "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
      requestTime: "09/Apr/2015:12:34:56 +0000",
      requestTimeEpoch: 1428582896000,
      resourcePath: "/{proxy+}",
      stage: "prod",
    },
    ...bodyOf(request),
  };
}

/** API Gateway HTTP API, payload format 2.0: the path is decoded and begins with the stage, the query is raw. */
export function httpApiEvent(request: RawRequest, stage = "$default") {
  const { path, query } = split(request.target);
  const prefix = stage === "$default" ? "" : `/${stage}`;
  const { cookie, ...headers } = forwarded(request.headers ?? {});
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: prefix + tryDecode(path),
    rawQueryString: query,
    ...(cookie ? { cookies: cookie.split("; ") } : {}),
    headers: { host: "id.execute-api.us-east-1.amazonaws.com", "x-forwarded-proto": "https", ...headers },
    requestContext: {
      accountId: "123456789012",
      apiId: "api-id",
      domainName: "id.execute-api.us-east-1.amazonaws.com",
      domainPrefix: "id",
      http: {
        method: request.method,
        path: prefix + tryDecode(path),
        protocol: "HTTP/1.1",
        sourceIp: SOURCE_IP,
        userAgent: "test",
      },
      requestId: "id",
      routeKey: "$default",
      stage,
      time: "12/Mar/2020:19:03:58 +0000",
      timeEpoch: 1583348638390,
    },
    ...bodyOf(request),
  };
}

/** A function URL sends the same shape, with the path as it was written. */
export function functionUrlEvent(request: RawRequest) {
  const event = httpApiEvent(request);
  const domainName = "abcdefgh.lambda-url.us-east-1.on.aws";
  return {
    ...event,
    rawPath: split(request.target).path,
    headers: { ...event.headers, host: domainName },
    requestContext: { ...event.requestContext, domainName },
  };
}

/** Application Load Balancer: nothing of the query is decoded; one value of each name, unless multi-value is on. */
export function albEvent(request: RawRequest, { multiValue }: { multiValue: boolean }) {
  const { path, query } = split(request.target);
  const pairs = rawPairs(query);
  const headers: Pairs = Object.entries({
    host: "lambda-alb-123.us-east-1.elb.amazonaws.com",
    "x-forwarded-port": "443",
    "x-forwarded-proto": "https",
    ...forwarded(request.headers ?? {}),
  });
  return {
    requestContext: {
      elb: { targetGroupArn: "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/x/49e9" },
    },
    httpMethod: request.method,
    path,
    ...(multiValue
      ? { multiValueHeaders: lists(headers) ?? {}, multiValueQueryStringParameters: lists(pairs) ?? {} }
      : { headers: last(headers), queryStringParameters: last(pairs) ?? {} }),
    ...bodyOf(request),
    body: bodyOf(request).body ?? "",
  };
}

function tryDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
