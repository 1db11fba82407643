import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  id: "1010101010101010101",
  email: "ann@example.com",
  handle: "Ann Example",
  img_url: "https://www.gravatar.com/avatar/0?size=240",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://www.figma.com/oauth",
    token: "https://api.figma.com/v1/oauth/token",
    refresh: "https://api.figma.com/v1/oauth/refresh",
    userInfo: "https://api.figma.com/v1/me",
  },
  authorization: { ...codeFlow, ...withChallenge, scope: "current_user:read configured requested" },
  exchange: exchangeOf({ client: "basic", verifier: true }),
  answer: {
    body: {
      user_id: 1_010_101_010_101_010,
      user_id_string: "1010101010101010101",
      access_token: "figu_access",
      token_type: "bearer",
      refresh_token: "figur_refresh",
      expires_in: 7_776_000,
    },
  },
  tokens: { tokenType: "bearer", accessToken: "figu_access", refreshToken: "figur_refresh" },
  expiresIn: { access: 7_776_000 },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "1010101010101010101",
    name: "Ann Example",
    email: "ann@example.com",
    image: "https://www.gravatar.com/avatar/0?size=240",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "no address and no picture",
      answers: [{ body: { id: profile.id, handle: profile.handle } }],
      user: { email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "the token is refused",
      answers: [{ status: 403, body: { status: 403, err: "Invalid token" } }],
      user: undefined,
    },
    { case: "no user", answers: [{ body: {} }], user: undefined },
  ],
  refresh: {
    sent: refreshOf({ client: "basic" }),
    answer: {
      body: { access_token: "figu_access-2", token_type: "bearer", expires_in: 7_776_000 },
    },
    tokens: { tokenType: "bearer", accessToken: "figu_access-2" },
  },
  errors: [
    { status: 400, body: { error: true, status: 400, message: "Invalid code" } },
    { status: 401, body: { status: 401, err: "Unauthorized" } },
  ],
};
