import { type Expectation, codeFlow, exchangeOf, refreshOf } from "../expectation.fixture.ts";

const account = {
  profile_nickname_needs_agreement: false,
  profile_image_needs_agreement: false,
  profile: {
    nickname: "홍길동",
    thumbnail_image_url: "http://k.kakaocdn.example/img_110x110.jpg",
    profile_image_url: "http://k.kakaocdn.example/img_640x640.jpg",
    is_default_image: false,
  },
  name: "홍 길동",
  has_email: true,
  email_needs_agreement: false,
  is_email_valid: true,
  is_email_verified: true,
  email: "hong@example.com",
};

const answerOf = (changes: Record<string, unknown>) => ({
  body: {
    id: 1_376_016_924_426_111,
    connected_at: "2022-04-11T01:45:28Z",
    kakao_account: { ...account, ...changes },
  },
});

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://kauth.kakao.com/oauth/authorize",
    token: "https://kauth.kakao.com/oauth/token",
    userInfo: "https://kapi.kakao.com/v2/user/me",
  },
  authorization: {
    ...codeFlow,
    scope: "account_email profile_image profile_nickname configured requested",
  },
  variants: [
    {
      case: "openid is asked for",
      options: { scope: ["openid"] },
      authorization: {
        scope: "account_email profile_image profile_nickname openid requested",
        nonce: "{nonce}",
      },
    },
  ],
  exchange: exchangeOf(),
  answer: {
    body: {
      token_type: "bearer",
      access_token: "kakao-access",
      id_token: "{idToken}",
      expires_in: 43_199,
      refresh_token: "kakao-refresh",
      refresh_token_expires_in: 5_184_000,
      scope: "account_email profile_image profile_nickname openid",
    },
  },
  tokens: {
    tokenType: "bearer",
    accessToken: "kakao-access",
    refreshToken: "kakao-refresh",
    idToken: "{idToken}",
    scopes: ["account_email", "profile_image", "profile_nickname", "openid"],
  },
  expiresIn: { access: 43_199, refresh: 5_184_000 },
  claims: { sub: "1376016924426111", nickname: "홍길동", auth_time: 1_661_967_952 },
  issuer: "https://kauth.kakao.com",
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: answerOf({}),
    },
  ],
  user: {
    id: "1376016924426111",
    name: "홍길동",
    email: "hong@example.com",
    image: "http://k.kakaocdn.example/img_640x640.jpg",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "no id token, because OpenID Connect is off",
      answer: { id_token: undefined },
      user: { id: "1376016924426111" },
    },
    {
      case: "the address is not verified",
      answers: [answerOf({ is_email_verified: false })],
      user: { email: "hong@example.com", emailVerified: false },
    },
    {
      case: "the address belongs to another user now",
      answers: [answerOf({ is_email_valid: false })],
      user: { email: "hong@example.com", emailVerified: false },
    },
    {
      case: "the address is withheld",
      answers: [answerOf({ email_needs_agreement: true, email: undefined })],
      user: { email: undefined, emailVerified: false },
    },
    {
      case: "only a name and a thumbnail",
      answers: [answerOf({ profile: { thumbnail_image_url: "http://k.kakaocdn.example/1.jpg" } })],
      user: { name: "홍 길동", image: "http://k.kakaocdn.example/1.jpg" },
    },
    {
      case: "there is no profile",
      answers: [answerOf({ profile: undefined, name: undefined })],
      user: { name: undefined, image: undefined },
    },
    {
      case: "only the id, as text",
      answers: [{ body: { id: "1376016924426111" } }],
      user: { id: "1376016924426111", name: undefined, email: undefined, emailVerified: false },
    },
    {
      case: "the id is a number that is not exact",
      answers: [{ body: '{"id":9007199254740993}' }],
      user: undefined,
    },
    {
      case: "the token is refused",
      answers: [{ status: 401, body: { msg: "this access token does not exist", code: -401 } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        token_type: "bearer",
        access_token: "kakao-access-2",
        id_token: "{idToken}",
        expires_in: 43_199,
      },
    },
    tokens: { tokenType: "bearer", accessToken: "kakao-access-2", idToken: "{idToken}" },
  },
  errors: [
    {
      status: 400,
      body: {
        error: "invalid_grant",
        error_description: "authorization code not found",
        error_code: "KOE320",
      },
    },
    { status: 401, body: { error: "invalid_client", error_code: "KOE010" } },
  ],
};
