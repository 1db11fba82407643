import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  sub: "62d648291fa3e4e7ae3fa6e8",
  name: "Ada Lovelace",
  preferred_username: "ada",
  profile: "https://huggingface.co/ada",
  picture:
    "https://cdn-avatars.huggingface.co/v1/production/uploads/62d648291fa3e4e7ae3fa6e8/a.png",
  website: "",
  isPro: false,
  canPay: false,
  orgs: [],
  email: "ada@example.com",
  email_verified: true,
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://huggingface.co/oauth/authorize",
    token: "https://huggingface.co/oauth/token",
    userInfo: "https://huggingface.co/oauth/userinfo",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "openid profile email configured requested",
  },
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "hf_oauth_eyJhbGciOiJFZERTQSJ9",
      token_type: "bearer",
      expires_in: 28_800,
      refresh_token: "hf_refresh_0d7cUzcLmS",
      scope: "openid profile email",
      id_token: "{idToken}",
    },
  },
  tokens: {
    tokenType: "bearer",
    accessToken: "hf_oauth_eyJhbGciOiJFZERTQSJ9",
    refreshToken: "hf_refresh_0d7cUzcLmS",
    idToken: "{idToken}",
    scopes: ["openid", "profile", "email"],
  },
  expiresIn: { access: 28_800 },
  issuer: "https://huggingface.co",
  claims: { sub: "62d648291fa3e4e7ae3fa6e8", name: "Ada Lovelace", preferred_username: "ada" },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "62d648291fa3e4e7ae3fa6e8",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image:
      "https://cdn-avatars.huggingface.co/v1/production/uploads/62d648291fa3e4e7ae3fa6e8/a.png",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "no full name",
      answers: [{ body: { ...profile, name: "" } }],
      user: { name: "ada" },
    },
    {
      case: "an address that is not verified",
      answers: [{ body: { ...profile, email_verified: false } }],
      user: { email: "ada@example.com", emailVerified: false },
    },
    {
      case: "an address and picture that may not be seen",
      answers: [{ body: { sub: profile.sub, preferred_username: "ada" } }],
      user: { name: "ada", email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "nothing but a subject",
      answers: [{ body: { sub: profile.sub } }],
      user: { id: profile.sub, name: undefined },
    },
    {
      case: "no id token",
      answer: { id_token: undefined, scope: "profile email" },
      user: { id: "62d648291fa3e4e7ae3fa6e8" },
    },
    {
      case: "a refused access token",
      answers: [{ status: 401, body: { error: "Invalid user token." } }],
      user: undefined,
    },
    { case: "an answer without a subject", answers: [{ body: { name: "Ada" } }], user: undefined },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "hf_oauth_renewed",
        token_type: "bearer",
        expires_in: 28_800,
        refresh_token: "hf_refresh_renewed",
        scope: "openid profile email",
      },
    },
    tokens: {
      tokenType: "bearer",
      accessToken: "hf_oauth_renewed",
      refreshToken: "hf_refresh_renewed",
      scopes: ["openid", "profile", "email"],
    },
  },
  errors: [
    { status: 400, body: { error: "invalid_grant", error_description: "Invalid code" } },
    { status: 200, type: "text/html", body: "<!doctype html><title>Hugging Face</title>" },
  ],
};
