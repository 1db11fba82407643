import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  id: "smedjan",
  display_name: "Smed Jan",
  email: "smedjan@example.com",
  country: "SE",
  product: "premium",
  type: "user",
  uri: "spotify:user:smedjan",
  href: "https://api.spotify.com/v1/users/smedjan",
  external_urls: { spotify: "https://open.spotify.com/user/smedjan" },
  followers: { href: null, total: 0 },
  images: [
    { url: "https://i.scdn.co/image/ab6775700000ee85", height: 300, width: 300 },
    { url: "https://i.scdn.co/image/ab67757000003b82", height: 64, width: 64 },
  ],
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://accounts.spotify.com/authorize",
    token: "https://accounts.spotify.com/api/token",
    userInfo: "https://api.spotify.com/v1/me",
  },
  authorization: { ...codeFlow, ...withChallenge, scope: "user-read-email configured requested" },
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "NgCXRKc4MzYjw",
      token_type: "Bearer",
      scope: "user-read-email",
      expires_in: 3_600,
      refresh_token: "NgAagAUm_SHo",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "NgCXRKc4MzYjw",
    refreshToken: "NgAagAUm_SHo",
    scopes: ["user-read-email"],
  },
  expiresIn: { access: 3_600 },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "smedjan",
    name: "Smed Jan",
    email: "smedjan@example.com",
    image: "https://i.scdn.co/image/ab6775700000ee85",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "no list of pictures",
      answers: [{ body: { ...profile, images: undefined } }],
      user: { image: undefined },
    },
    {
      case: "a picture without an address",
      answers: [{ body: { ...profile, images: [{ url: null, height: null, width: null }] } }],
      user: { image: undefined },
    },
    {
      case: "an empty list of pictures",
      answers: [{ body: { ...profile, images: [] } }],
      user: { image: undefined },
    },
    {
      case: "no name",
      answers: [{ body: { ...profile, display_name: null } }],
      user: { name: undefined, email: "smedjan@example.com" },
    },
    {
      case: "an address that may not be seen",
      answers: [{ body: { ...profile, email: undefined } }],
      user: { email: undefined, emailVerified: false },
    },
    {
      case: "a refused access token",
      answers: [
        { status: 401, body: { error: { status: 401, message: "The access token expired" } } },
      ],
      user: undefined,
    },
    {
      case: "a text in place of a profile",
      answers: [{ type: "text/plain", body: "User not registered in the Developer Dashboard" }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "BQBLuPRYBQ",
        token_type: "Bearer",
        expires_in: 3_600,
        scope: "user-read-email",
      },
    },
    tokens: { tokenType: "Bearer", accessToken: "BQBLuPRYBQ", scopes: ["user-read-email"] },
  },
  errors: [
    {
      status: 400,
      body: { error: "invalid_grant", error_description: "Invalid authorization code" },
    },
  ],
};
