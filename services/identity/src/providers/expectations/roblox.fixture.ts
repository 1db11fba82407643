import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  sub: "1516563360",
  name: "Builder Bo",
  nickname: "Builder Bo",
  preferred_username: "builder_bo",
  created_at: 1_584_682_495,
  profile: "https://www.roblox.com/users/1516563360/profile",
  picture: "https://tr.rbxcdn.com/03dc2a9abe7b1aacaaf93ea46d5c0646/150/150/AvatarHeadshot/Png",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://apis.roblox.com/oauth/v1/authorize",
    token: "https://apis.roblox.com/oauth/v1/token",
    userInfo: "https://apis.roblox.com/oauth/v1/userinfo",
    revoke: "https://apis.roblox.com/oauth/v1/token/revoke",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "openid profile configured requested",
    nonce: "{nonce}",
    prompt: "login",
  },
  variants: [
    {
      case: "no prompt is configured",
      options: { prompt: undefined },
      authorization: { prompt: "select_account consent" },
    },
  ],
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.access",
      refresh_token: "RT.2GcjvTduKzk6QY9tjTfm",
      token_type: "Bearer",
      expires_in: 899,
      id_token: "{idToken}",
      scope: "openid profile",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.access",
    refreshToken: "RT.2GcjvTduKzk6QY9tjTfm",
    idToken: "{idToken}",
    scopes: ["openid", "profile"],
  },
  expiresIn: { access: 899 },
  issuer: "https://apis.roblox.com/oauth/",
  claims: { sub: "1516563360", nickname: "Builder Bo", preferred_username: "builder_bo" },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "1516563360",
    name: "Builder Bo",
    email: "1516563360@roblox.invalid",
    image: "https://tr.rbxcdn.com/03dc2a9abe7b1aacaaf93ea46d5c0646/150/150/AvatarHeadshot/Png",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "no display name",
      answers: [{ body: { ...profile, nickname: undefined, name: undefined } }],
      user: { name: "builder_bo" },
    },
    {
      case: "a picture that is not made yet",
      answers: [{ body: { ...profile, picture: null } }],
      user: { image: undefined },
    },
    {
      case: "a profile that may not be seen",
      answers: [{ body: { sub: "1516563360" } }],
      user: { name: undefined, email: "1516563360@roblox.invalid", emailVerified: false },
    },
    {
      case: "claims of an address",
      answers: [{ body: { ...profile, email: "bo@example.com", email_verified: true } }],
      user: { email: "1516563360@roblox.invalid", emailVerified: false },
    },
    {
      case: "a refused access token",
      answers: [{ status: 401, body: { error: "invalid_token" } }],
      user: undefined,
    },
    { case: "no subject", answers: [{ body: { nickname: "Builder Bo" } }], user: undefined },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.renewed",
        refresh_token: "RT.renewed",
        token_type: "Bearer",
        expires_in: 899,
        scope: "openid profile",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.renewed",
      refreshToken: "RT.renewed",
      scopes: ["openid", "profile"],
    },
  },
  errors: [
    {
      status: 400,
      body: { error: "invalid_grant", error_description: "Authorization code is invalid" },
    },
  ],
};
