import { type Expectation, codeFlow, exchangeOf, withChallenge } from "../expectation.fixture.ts";

const profile = {
  sub: "345e869043f1e55f8bdc837c",
  email: "user@example.com",
  email_verified: true,
  name: "John Doe",
  preferred_username: "john-doe",
  picture: "https://avatar.vercel.example/00159aa4c88348dedc91a456b457d1baa48df6d",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://vercel.com/oauth/authorize",
    token: "https://api.vercel.com/login/oauth/token",
    userInfo: "https://api.vercel.com/login/oauth/userinfo",
  },
  authorization: { ...codeFlow, ...withChallenge, scope: "configured requested" },
  variants: [
    {
      case: "openid is asked for",
      options: { scope: ["openid"] },
      authorization: { scope: "openid requested", nonce: "{nonce}" },
    },
  ],
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "vca_access",
      token_type: "Bearer",
      id_token: "{idToken}",
      expires_in: 3600,
      scope: "openid email profile",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "vca_access",
    idToken: "{idToken}",
    scopes: ["openid", "email", "profile"],
  },
  expiresIn: { access: 3600 },
  claims: { sub: profile.sub, name: "John Doe", preferred_username: "john-doe" },
  issuer: "https://vercel.com",
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "345e869043f1e55f8bdc837c",
    name: "John Doe",
    email: "user@example.com",
    image: "https://avatar.vercel.example/00159aa4c88348dedc91a456b457d1baa48df6d",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "there is no id token, as openid was not asked for",
      answer: { id_token: undefined },
      user: { id: "345e869043f1e55f8bdc837c" },
    },
    {
      case: "only a user name",
      answers: [{ body: { ...profile, name: undefined } }],
      user: { name: "john-doe" },
    },
    {
      case: "no address and no picture",
      answers: [{ body: { ...profile, email: undefined, picture: null } }],
      user: { email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "nothing is said of verification",
      answers: [{ body: { ...profile, email_verified: undefined } }],
      user: { email: "user@example.com", emailVerified: false },
    },
    {
      case: "the token is refused",
      answers: [{ status: 403, body: { error: { code: "forbidden", message: "Not authorized" } } }],
      user: undefined,
    },
  ],
  errors: [{ status: 400, body: { error: "invalid_grant", error_description: "Invalid code" } }],
};
