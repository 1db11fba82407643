import { type Expectation, codeFlow } from "../expectation.fixture.ts";

const profile = {
  id: "1a2b3c",
  name: "quiet_reader",
  icon_img:
    "https://styles.redditmedia.com/t5_9xyz/styles/profileIcon_abc.jpg?width=256&amp;height=256&amp;s=5d2f",
  has_verified_email: true,
  oauth_client_id: "client",
  created_utc: 1_490_000_000,
  total_karma: 42,
  verified: true,
};

const headers = {
  authorization: "Basic {basic}",
  accept: "text/plain",
  "user-agent": "latchkey",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://www.reddit.com/api/v1/authorize",
    token: "https://www.reddit.com/api/v1/access_token",
    userInfo: "https://oauth.reddit.com/api/v1/me",
    revoke: "https://www.reddit.com/api/v1/revoke_token",
  },
  authorization: { ...codeFlow, scope: "identity configured requested" },
  variants: (["permanent", "temporary"] as const).map((duration) => ({
    case: `access that is ${duration}`,
    options: { duration },
    authorization: { duration },
  })),
  exchange: {
    method: "POST",
    parameters: {
      grant_type: "authorization_code",
      code: "{code}",
      redirect_uri: "{redirect}",
    },
    headers,
  },
  answer: {
    body: {
      access_token: "eyJhbGciOiJSUzI1NiIsImtpZCI6IlNIQTI1NjpzS3dsMnlsV0V",
      token_type: "bearer",
      expires_in: 86_400,
      refresh_token: "34021234567-QgB1TRVwYT4TPzZx8mSkgFZCVLcnUg",
      scope: "identity",
    },
  },
  tokens: {
    tokenType: "bearer",
    accessToken: "eyJhbGciOiJSUzI1NiIsImtpZCI6IlNIQTI1NjpzS3dsMnlsV0V",
    refreshToken: "34021234567-QgB1TRVwYT4TPzZx8mSkgFZCVLcnUg",
    scopes: ["identity"],
  },
  expiresIn: { access: 86_400 },
  reads: [
    {
      endpoint: "userInfo",
      sent: {
        method: "GET",
        parameters: {},
        headers: { authorization: "Bearer {access}", "user-agent": "latchkey" },
      },
      answer: { body: profile },
    },
  ],
  user: {
    id: "1a2b3c",
    name: "quiet_reader",
    email: "1a2b3c@reddit.invalid",
    image: "https://styles.redditmedia.com/t5_9xyz/styles/profileIcon_abc.jpg",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "another user of the same application",
      answers: [{ body: { ...profile, id: "9z8y7x", name: "loud_writer" } }],
      user: { id: "9z8y7x", email: "9z8y7x@reddit.invalid", emailVerified: false },
    },
    {
      case: "no picture",
      answers: [{ body: { ...profile, icon_img: "" } }],
      user: { image: undefined },
    },
    {
      case: "nothing but an id",
      answers: [{ body: { id: "1a2b3c" } }],
      user: { name: undefined, email: "1a2b3c@reddit.invalid", image: undefined },
    },
    {
      case: "a refused access token",
      answers: [{ status: 403, body: { message: "Forbidden", error: 403 } }],
      user: undefined,
    },
    {
      case: "a page in place of a profile",
      answers: [{ type: "text/html", body: "<!doctype html><title>Blocked</title>" }],
      user: undefined,
    },
  ],
  refresh: {
    sent: {
      method: "POST",
      parameters: { grant_type: "refresh_token", refresh_token: "{refresh}" },
      headers,
    },
    answer: {
      body: {
        access_token: "eyJhbGciOiJSUzI1NiIsImtpZCI6InJlbmV3ZWQ",
        token_type: "bearer",
        expires_in: 86_400,
        scope: "identity",
      },
    },
    tokens: {
      tokenType: "bearer",
      accessToken: "eyJhbGciOiJSUzI1NiIsImtpZCI6InJlbmV3ZWQ",
      scopes: ["identity"],
    },
  },
  errors: [
    { status: 200, body: { error: "invalid_grant" } },
    { status: 401, body: { message: "Unauthorized", error: 401 } },
  ],
};
