import { type HttpText, toBytes } from "./http-text.ts";

const json = ["content-type", "application/json"] as const;
const host = ["host", "localhost"] as const;

const post = (path: string, body: object, ...headers: HttpText["headers"]): HttpText => ({
  line: `POST /api/auth${path} HTTP/1.1`,
  headers: [host, json, ...headers],
  body: JSON.stringify(body),
});

const get = (path: string, ...headers: HttpText["headers"]): HttpText => ({
  line: `GET ${path} HTTP/1.1`,
  headers: [host, ...headers],
});

/** Valid requests that change nothing. If a corrupted one leaves rows behind, that is a fault. */
export const validRequests = (cookie: string): readonly HttpText[] => [
  get("/api/auth/ok"),
  get("/api/auth/get-session"),
  get("/api/auth/get-session", ["cookie", cookie]),
  get("/api/auth/get-session", ["authorization", "Bearer none.none"]),
  get("/api/auth/list-sessions", ["cookie", cookie]),
  get("/api/auth/api-key/list?limit=10", ["cookie", cookie]),
  get("/api/reference"),
  get("/api/auth/jwks"),
  get("/admin/"),
  get("/nowhere"),
  post("/sign-in/email", { email: "nobody@example.com", password: "not the password" }),
  post("/organization/check-slug", { slug: "some-slug" }, ["cookie", cookie]),
  {
    line: "POST /api/auth/sign-in/email HTTP/1.1",
    headers: [host, json, ["transfer-encoding", "chunked"]],
    body: '20\r\n{"email":"nobody@example.com","p\r\n1b\r\nassword":"not the password"}\r\n0\r\n\r\n',
  },
  {
    line: "OPTIONS /api/auth/sign-in/email HTTP/1.1",
    headers: [host, ["origin", "https://evil.com"], ["access-control-request-method", "POST"]],
  },
];

export const validBytes = (cookie: string): readonly Buffer[] => validRequests(cookie).map(toBytes);
