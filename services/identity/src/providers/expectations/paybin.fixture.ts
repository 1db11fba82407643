import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const claims = {
  sub: "7c6d1a1e-0000-4000-8000-1234567890ab",
  name: "Ann Example",
  preferred_username: "ann",
  email: "ann@example.com",
  email_verified: true,
  picture: "https://idp.paybin.example/pictures/ann.png",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://idp.paybin.io/oauth2/authorize",
    token: "https://idp.paybin.io/oauth2/token",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "openid email profile configured requested",
    prompt: "login",
    login_hint: "ann@example.com",
  },
  variants: [
    {
      case: "issuer is the base of all endpoints",
      options: { issuer: "https://pay.example.com/tenant/" },
      endpoints: {
        authorization: "https://pay.example.com/tenant/oauth2/authorize",
        token: "https://pay.example.com/tenant/oauth2/token",
      },
    },
  ],
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "paybin-access",
      id_token: "{idToken}",
      refresh_token: "paybin-refresh",
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid email profile",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "paybin-access",
    refreshToken: "paybin-refresh",
    idToken: "{idToken}",
    scopes: ["openid", "email", "profile"],
  },
  expiresIn: { access: 3600 },
  claims,
  issuer: "https://idp.paybin.io",
  user: {
    id: "7c6d1a1e-0000-4000-8000-1234567890ab",
    name: "Ann Example",
    email: "ann@example.com",
    image: "https://idp.paybin.example/pictures/ann.png",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "only a user name",
      claims: { ...claims, name: undefined },
      user: { name: "ann" },
    },
    {
      case: "the address is not verified",
      claims: { ...claims, email_verified: undefined },
      user: { email: "ann@example.com", emailVerified: false },
    },
    {
      case: "no address and no picture",
      claims: { ...claims, email: undefined, picture: undefined },
      user: { email: undefined, image: undefined, emailVerified: false },
    },
    { case: "there is no id token", answer: { id_token: undefined }, user: undefined },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: { access_token: "paybin-access-2", token_type: "Bearer", expires_in: 3600 },
    },
    tokens: { tokenType: "Bearer", accessToken: "paybin-access-2" },
  },
  errors: [{ status: 400, body: { error: "invalid_grant" } }],
};
