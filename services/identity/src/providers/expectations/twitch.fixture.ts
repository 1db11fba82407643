import { type Expectation, codeFlow, exchangeOf, refreshOf } from "../expectation.fixture.ts";

const claims = {
  sub: "713936733",
  preferred_username: "scarlet_fox",
  email: "scarlet@example.com",
  email_verified: true,
  picture: "https://static-cdn.jtvnw.net/jtv_user_pictures/8a6381c7-profile_image-300x300.png",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://id.twitch.tv/oauth2/authorize",
    token: "https://id.twitch.tv/oauth2/token",
    jwks: "https://id.twitch.tv/oauth2/keys",
    revoke: "https://id.twitch.tv/oauth2/revoke",
  },
  authorization: {
    ...codeFlow,
    scope: "user:read:email openid configured requested",
    nonce: "{nonce}",
    claims:
      '{"id_token":{"email":null,"email_verified":null,"preferred_username":null,"picture":null}}',
  },
  variants: [
    {
      case: "other claims",
      options: { claims: ["picture", "updated_at"] },
      authorization: {
        claims:
          '{"id_token":{"email":null,"email_verified":null,"picture":null,"updated_at":null}}',
      },
    },
  ],
  exchange: exchangeOf(),
  answer: {
    body: {
      access_token: "rfx2uswqe8l4g1mkagrvg5tv0ks3",
      expires_in: 14_124,
      id_token: "{idToken}",
      refresh_token: "5b93chm6hdve3mycz05zfzatkfdenfspp1h1ar2xxdalen01",
      scope: ["openid", "user:read:email"],
      token_type: "bearer",
    },
  },
  tokens: {
    tokenType: "bearer",
    accessToken: "rfx2uswqe8l4g1mkagrvg5tv0ks3",
    refreshToken: "5b93chm6hdve3mycz05zfzatkfdenfspp1h1ar2xxdalen01",
    idToken: "{idToken}",
    scopes: ["openid", "user:read:email"],
  },
  expiresIn: { access: 14_124 },
  issuer: "https://id.twitch.tv/oauth2",
  claims,
  user: {
    id: "713936733",
    name: "scarlet_fox",
    email: "scarlet@example.com",
    image: "https://static-cdn.jtvnw.net/jtv_user_pictures/8a6381c7-profile_image-300x300.png",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "an address that is not verified",
      claims: { ...claims, email_verified: false },
      user: { email: "scarlet@example.com", emailVerified: false },
    },
    {
      case: "nothing said of the address",
      claims: { sub: claims.sub, email: claims.email },
      user: { email: "scarlet@example.com", emailVerified: false },
    },
    {
      case: "nothing but a subject",
      claims: { sub: claims.sub },
      user: { name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
    { case: "no id token", answer: { id_token: undefined }, user: undefined },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "1ssjqsqfy6bads1ws7m03gras79zfr",
        expires_in: 13_500,
        refresh_token: "eyJfMzUtNDU0OC4MWYwLTQ5MDY5ODY4NGNlMSJ9",
        scope: ["openid", "user:read:email"],
        token_type: "bearer",
      },
    },
    tokens: {
      tokenType: "bearer",
      accessToken: "1ssjqsqfy6bads1ws7m03gras79zfr",
      refreshToken: "eyJfMzUtNDU0OC4MWYwLTQ5MDY5ODY4NGNlMSJ9",
      scopes: ["openid", "user:read:email"],
    },
  },
  errors: [{ status: 400, body: { status: 400, message: "Invalid authorization code" } }],
};
