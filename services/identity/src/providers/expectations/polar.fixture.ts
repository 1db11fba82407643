import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  id: "a5a5a5a5-1111-4222-8333-444444444444",
  public_name: "Ann",
  username: "ann",
  email: "ann@example.com",
  email_verified: true,
  avatar_url: "https://avatars.example.com/ann.png",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://polar.sh/oauth2/authorize",
    token: "https://api.polar.sh/v1/oauth2/token",
    userInfo: "https://api.polar.sh/v1/oauth2/userinfo",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "openid profile email configured requested",
    nonce: "{nonce}",
    prompt: "login",
  },
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      token_type: "Bearer",
      access_token: "polar_at_u_access",
      expires_in: 864_000,
      refresh_token: "polar_rt_u_refresh",
      scope: "openid profile email",
      id_token: "{idToken}",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "polar_at_u_access",
    refreshToken: "polar_rt_u_refresh",
    idToken: "{idToken}",
    scopes: ["openid", "profile", "email"],
  },
  expiresIn: { access: 864_000 },
  claims: { sub: profile.id },
  issuer: "https://polar.sh",
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "a5a5a5a5-1111-4222-8333-444444444444",
    name: "Ann",
    email: "ann@example.com",
    image: "https://avatars.example.com/ann.png",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "only a user name, and no picture",
      answers: [{ body: { ...profile, public_name: null, avatar_url: null } }],
      user: { name: "ann", image: undefined },
    },
    {
      case: "the profile has the names of OpenID Connect",
      answers: [
        {
          body: {
            sub: profile.id,
            name: "Ann Example",
            email: profile.email,
            email_verified: true,
            picture: profile.avatar_url,
          },
        },
      ],
      user: {
        id: profile.id,
        name: "Ann Example",
        image: profile.avatar_url,
        emailVerified: true,
      },
    },
    {
      case: "the address is not verified",
      answers: [{ body: { ...profile, email_verified: false } }],
      user: { email: "ann@example.com", emailVerified: false },
    },
    {
      case: "nothing is said of verification",
      answers: [{ body: { ...profile, email_verified: undefined } }],
      user: { email: "ann@example.com", emailVerified: false },
    },
    {
      case: "an organization has no address",
      answers: [{ body: { sub: profile.id, name: "Example Ltd" } }],
      user: { id: profile.id, name: "Example Ltd", email: undefined, emailVerified: false },
    },
    {
      case: "no id",
      answers: [{ body: { ...profile, id: undefined } }],
      user: undefined,
    },
    {
      case: "the token is refused",
      answers: [{ status: 401, body: { error: "invalid_token" } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        token_type: "Bearer",
        access_token: "polar_at_u_access-2",
        expires_in: 864_000,
        refresh_token: "polar_rt_u_refresh-2",
        scope: "openid profile email",
        id_token: "{idToken}",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "polar_at_u_access-2",
      refreshToken: "polar_rt_u_refresh-2",
      idToken: "{idToken}",
      scopes: ["openid", "profile", "email"],
    },
  },
  errors: [
    { status: 400, body: { error: "invalid_grant" } },
    { status: 401, body: { error: "invalid_client" } },
  ],
};
