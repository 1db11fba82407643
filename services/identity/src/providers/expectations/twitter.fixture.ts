import { type Expectation, codeFlow, withChallenge } from "../expectation.fixture.ts";

const user = { id: "2244994945", name: "Ann Bird", username: "annbird" };
const withPicture = {
  ...user,
  profile_image_url: "https://pbs.twimg.com/profile_images/1683899100922511378/5lY42eHs_normal.jpg",
};
const withEmail = { ...user, confirmed_email: "Ann@Example.com" };

const headers = { authorization: "Basic {basic}" };

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://x.com/i/oauth2/authorize",
    token: "https://api.x.com/2/oauth2/token",
    userInfo: "https://api.x.com/2/users/me",
    revoke: "https://api.x.com/2/oauth2/revoke",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "users.read tweet.read offline.access users.email configured requested",
  },
  exchange: {
    method: "POST",
    parameters: {
      grant_type: "authorization_code",
      code: "{code}",
      redirect_uri: "{redirect}",
      code_verifier: "{verifier}",
    },
    headers,
  },
  answer: {
    body: {
      token_type: "bearer",
      expires_in: 7_200,
      access_token: "VGhpcyBpcyBhbiBhY2Nlc3MgdG9rZW4",
      scope: "tweet.read users.read users.email offline.access",
      refresh_token: "bWRWa3gzdnk3WHRGU1o0bmRRcTJ5VUxW",
    },
  },
  tokens: {
    tokenType: "bearer",
    accessToken: "VGhpcyBpcyBhbiBhY2Nlc3MgdG9rZW4",
    refreshToken: "bWRWa3gzdnk3WHRGU1o0bmRRcTJ5VUxW",
    scopes: ["tweet.read", "users.read", "users.email", "offline.access"],
  },
  expiresIn: { access: 7_200 },
  reads: [
    {
      endpoint: "userInfo",
      sent: {
        method: "GET",
        parameters: { "user.fields": "profile_image_url" },
        headers: { authorization: "Bearer {access}" },
      },
      answer: { body: { data: withPicture } },
    },
    {
      endpoint: "userInfo",
      sent: {
        method: "GET",
        parameters: { "user.fields": "confirmed_email" },
        headers: { authorization: "Bearer {access}" },
      },
      answer: { body: { data: withEmail } },
    },
  ],
  user: {
    id: "2244994945",
    name: "Ann Bird",
    email: "ann@example.com",
    image: "https://pbs.twimg.com/profile_images/1683899100922511378/5lY42eHs_normal.jpg",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "an application without access to the address",
      answers: [
        { body: { data: withPicture } },
        { status: 403, body: { title: "Forbidden", type: "about:blank", status: 403 } },
      ],
      user: { email: "2244994945@twitter.invalid", emailVerified: false },
    },
    {
      case: "no confirmed address",
      answers: [{ body: { data: withPicture } }, { body: { data: user } }],
      user: { email: "2244994945@twitter.invalid", emailVerified: false },
    },
    {
      case: "neither name nor picture",
      answers: [
        { body: { data: { id: user.id } } },
        { body: { data: { id: user.id, confirmed_email: "Ann@Example.com" } } },
      ],
      user: { name: undefined, image: undefined, email: "ann@example.com", emailVerified: true },
    },
    {
      case: "a refused access token",
      answers: [{ status: 401, body: { title: "Unauthorized", type: "about:blank", status: 401 } }],
      user: undefined,
    },
    {
      case: "errors in place of a user",
      answers: [{ body: { errors: [{ title: "Forbidden" }] } }, { body: { errors: [] } }],
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
        token_type: "bearer",
        expires_in: 7_200,
        access_token: "VGhpcyBpcyBhIHJlbmV3ZWQgdG9rZW4",
        scope: "tweet.read users.read users.email offline.access",
        refresh_token: "cmVuZXdlZCByZWZyZXNoIHRva2Vu",
      },
    },
    tokens: {
      tokenType: "bearer",
      accessToken: "VGhpcyBpcyBhIHJlbmV3ZWQgdG9rZW4",
      refreshToken: "cmVuZXdlZCByZWZyZXNoIHRva2Vu",
      scopes: ["tweet.read", "users.read", "users.email", "offline.access"],
    },
  },
  errors: [
    {
      status: 400,
      body: {
        error: "invalid_request",
        error_description: "Value passed for the authorization code was invalid.",
      },
    },
  ],
};
