import { type Expectation, codeFlow, exchangeOf, refreshOf } from "../expectation.fixture.ts";

const response = {
  id: "32742776",
  nickname: "OpenAPI",
  name: "오픈 API",
  email: "openapi@example.com",
  gender: "F",
  age: "40-49",
  birthday: "10-01",
  profile_image: "https://phinf.pstatic.example/contact/nodata_33x33.gif",
};

const answerOf = (changes: Record<string, unknown>) => ({
  body: { resultcode: "00", message: "success", response: { ...response, ...changes } },
});

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://nid.naver.com/oauth2.0/authorize",
    token: "https://nid.naver.com/oauth2.0/token",
    userInfo: "https://openapi.naver.com/v1/nid/me",
  },
  authorization: { ...codeFlow, scope: "profile email configured requested" },
  exchange: exchangeOf(),
  answer: {
    body: {
      access_token: "AAAAQosjWDJieBiQZc3to9YQp6HDLvrmyKC+6+iZ3gq7qrkqf50",
      refresh_token: "c8ceMEJisO4Se7uGCEYKK1p52L93bHXLnaoETis9YzjfnorlQwE",
      token_type: "bearer",
      expires_in: "3600",
    },
  },
  tokens: {
    tokenType: "bearer",
    accessToken: "AAAAQosjWDJieBiQZc3to9YQp6HDLvrmyKC+6+iZ3gq7qrkqf50",
    refreshToken: "c8ceMEJisO4Se7uGCEYKK1p52L93bHXLnaoETis9YzjfnorlQwE",
  },
  expiresIn: { access: 3600 },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: answerOf({}),
    },
  ],
  user: {
    id: "32742776",
    name: "오픈 API",
    email: "openapi@example.com",
    image: "https://phinf.pstatic.example/contact/nodata_33x33.gif",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "only a nickname",
      answers: [answerOf({ name: undefined })],
      user: { name: "OpenAPI" },
    },
    {
      case: "the address and the picture are withheld",
      answers: [answerOf({ email: undefined, profile_image: undefined })],
      user: { email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "the result is an error with status 200",
      answers: [{ body: { resultcode: "024", message: "Authentication failed", response } }],
      user: undefined,
    },
    {
      case: "a success without a user",
      answers: [{ body: { resultcode: "00", message: "success" } }],
      user: undefined,
    },
    {
      case: "the token is refused",
      answers: [{ status: 401, body: { resultcode: "024", message: "Authentication failed" } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "AAAAQjbRkysCNmMdQ7kmowPrjyRNIRYKG2iGHhbGawP0xfuYwjrE",
        token_type: "bearer",
        expires_in: "3600",
      },
    },
    tokens: {
      tokenType: "bearer",
      accessToken: "AAAAQjbRkysCNmMdQ7kmowPrjyRNIRYKG2iGHhbGawP0xfuYwjrE",
    },
  },
  errors: [
    { body: { error: "invalid_request", error_description: "no valid data in session" } },
    { body: { error: "024", error_description: "Authentication failed" } },
  ],
};
