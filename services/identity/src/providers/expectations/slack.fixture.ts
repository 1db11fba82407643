import { type Expectation, codeFlow, exchangeOf, refreshOf } from "../expectation.fixture.ts";

const profile = {
  ok: true,
  sub: "U0R7JM",
  "https://slack.com/user_id": "U0R7JM",
  "https://slack.com/team_id": "T0R7GR",
  email: "krane@example.com",
  email_verified: true,
  date_email_verified: 1_622_128_723,
  name: "krane",
  picture: "https://secure.gravatar.example/krane.png",
  given_name: "Bront",
  family_name: "Labradoodle",
  locale: "en-US",
  "https://slack.com/team_name": "kraneflannel",
  "https://slack.com/team_domain": "kraneflannel",
  "https://slack.com/user_image_512": "https://secure.gravatar.example/krane-512.png",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://slack.com/openid/connect/authorize",
    token: "https://slack.com/api/openid.connect.token",
    userInfo: "https://slack.com/api/openid.connect.userInfo",
  },
  authorization: {
    ...codeFlow,
    scope: "openid profile email requested configured",
    nonce: "{nonce}",
  },
  exchange: exchangeOf(),
  answer: {
    body: {
      ok: true,
      access_token: "xoxe.xoxp-1-access",
      token_type: "Bearer",
      id_token: "{idToken}",
      refresh_token: "xoxe-1-refresh",
      expires_in: 43_200,
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "xoxe.xoxp-1-access",
    refreshToken: "xoxe-1-refresh",
    idToken: "{idToken}",
  },
  expiresIn: { access: 43_200 },
  claims: {
    sub: "U0R7JM",
    auth_time: 1_626_874_955,
    "https://slack.com/team_id": "T0R7GR",
    "https://slack.com/user_id": "U0R7JM",
  },
  issuer: "https://slack.com",
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "U0R7JM",
    name: "krane",
    email: "krane@example.com",
    image: "https://secure.gravatar.example/krane.png",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "only the large picture",
      answers: [{ body: { ...profile, picture: undefined } }],
      user: { image: "https://secure.gravatar.example/krane-512.png" },
    },
    {
      case: "no name, address and picture",
      answers: [{ body: { ok: true, sub: "U0R7JM", "https://slack.com/user_id": "U0R7JM" } }],
      user: { name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "the address is not verified",
      answers: [{ body: { ...profile, email_verified: false } }],
      user: { email: "krane@example.com", emailVerified: false },
    },
    {
      case: "an error with status 200",
      answers: [{ body: { ok: false, error: "invalid_auth" } }],
      user: undefined,
    },
    {
      case: "a response that is not ok has no user",
      answers: [{ body: { ...profile, ok: false } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        ok: true,
        access_token: "xoxe.xoxp-1-access-2",
        token_type: "Bearer",
        refresh_token: "xoxe-1-refresh-2",
        expires_in: 43_200,
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "xoxe.xoxp-1-access-2",
      refreshToken: "xoxe-1-refresh-2",
    },
  },
  errors: [
    { body: { ok: false, error: "invalid_code" } },
    { body: { ok: false, error: "bad_client_secret", access_token: "xoxp", token_type: "Bearer" } },
    { body: { ok: false, access_token: "xoxp", token_type: "Bearer" } },
  ],
};
