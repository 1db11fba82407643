import { type Expectation, codeFlow, exchangeOf, refreshOf } from "../expectation.fixture.ts";

const profile = {
  sub: "782bbtaQ",
  name: "John Doe",
  given_name: "John",
  family_name: "Doe",
  picture:
    "https://media.licdn.com/dms/image/C5F03AQHqK8v7tB1HCQ/profile-displayphoto-shrink_100_100/0/",
  locale: { country: "US", language: "en" },
  email: "doe@example.com",
  email_verified: true,
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://www.linkedin.com/oauth/v2/authorization",
    token: "https://www.linkedin.com/oauth/v2/accessToken",
    userInfo: "https://api.linkedin.com/v2/userinfo",
  },
  authorization: {
    ...codeFlow,
    scope: "profile email openid configured requested",
    login_hint: "ann@example.com",
  },
  exchange: exchangeOf(),
  answer: {
    body: {
      access_token: "AQXNnd2kXITHELmWblJigbHEuoFdfRhOwGA0QNnumBI8XOVSs0HtOHEU",
      expires_in: 5_184_000,
      refresh_token: "AQWAft_WjYZKwuWXLC5hQlghgTam-tuT8CvFej9-XxGyqeER_7jTr8HmjiGj",
      refresh_token_expires_in: 31_536_000,
      scope: "email,openid,profile",
      token_type: "Bearer",
      id_token: "{idToken}",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "AQXNnd2kXITHELmWblJigbHEuoFdfRhOwGA0QNnumBI8XOVSs0HtOHEU",
    refreshToken: "AQWAft_WjYZKwuWXLC5hQlghgTam-tuT8CvFej9-XxGyqeER_7jTr8HmjiGj",
    idToken: "{idToken}",
    scopes: ["email", "openid", "profile"],
  },
  expiresIn: { access: 5_184_000, refresh: 31_536_000 },
  issuer: "https://www.linkedin.com/oauth",
  claims: { sub: "782bbtaQ", name: "John Doe", email: "doe@example.com", email_verified: "true" },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "782bbtaQ",
    name: "John Doe",
    email: "doe@example.com",
    image:
      "https://media.licdn.com/dms/image/C5F03AQHqK8v7tB1HCQ/profile-displayphoto-shrink_100_100/0/",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "a verified address by a text",
      answers: [{ body: { ...profile, email_verified: "true" } }],
      user: { emailVerified: true },
    },
    {
      case: "an address that is not verified, by a text",
      answers: [{ body: { ...profile, email_verified: "false" } }],
      user: { email: "doe@example.com", emailVerified: false },
    },
    {
      case: "an address that is not verified",
      answers: [{ body: { ...profile, email_verified: false } }],
      user: { email: "doe@example.com", emailVerified: false },
    },
    {
      case: "nothing but a subject",
      answers: [{ body: { sub: "782bbtaQ" } }],
      user: { name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "no refresh token, as most applications get none",
      answer: { refresh_token: undefined, refresh_token_expires_in: undefined },
      user: { id: "782bbtaQ" },
    },
    {
      case: "no scopes in the answer",
      answer: { scope: undefined },
      user: { id: "782bbtaQ" },
    },
    {
      case: "a refused access token",
      answers: [
        {
          status: 401,
          body: { status: 401, serviceErrorCode: 65601, code: "REVOKED_ACCESS_TOKEN" },
        },
      ],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "BBBB2kXITHELmWblJigbHEuoFdfRhOwGA0QNnumBI8XOVSs0HtOHEU",
        expires_in: 5_184_000,
        refresh_token: "CCCCft_WjYZKwuWXLC5hQlghgTam-tuT8CvFej9-XxGyqeER_7jTr8HmjiGj",
        refresh_token_expires_in: 439_200,
        scope: "email,openid,profile",
        token_type: "Bearer",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "BBBB2kXITHELmWblJigbHEuoFdfRhOwGA0QNnumBI8XOVSs0HtOHEU",
      refreshToken: "CCCCft_WjYZKwuWXLC5hQlghgTam-tuT8CvFej9-XxGyqeER_7jTr8HmjiGj",
      scopes: ["email", "openid", "profile"],
    },
  },
  errors: [
    {
      status: 400,
      body: {
        error: "invalid_request",
        error_description:
          "Unable to retrieve access token: appid/redirect uri/code verifier does not match",
      },
    },
  ],
};
