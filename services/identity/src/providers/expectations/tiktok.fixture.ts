import type { Expectation, GivenAnswer } from "../expectation.fixture.ts";

const ann = {
  open_id: "723f24d7-e717-40f8-a2b6-cb8464cd23b4",
  avatar_large_url: "https://p19-sign.tiktokcdn-us.com/ann.jpeg",
  display_name: "Ann",
  username: "ann.example",
};
const answer = (user: object): GivenAnswer => ({
  body: {
    data: { user },
    error: { code: "ok", message: "", log_id: "20220829194722CBE87ED59D524E727021" },
  },
});

export const expectation: Expectation = {
  options: { clientKey: "awkey" },
  endpoints: {
    authorization: "https://www.tiktok.com/v2/auth/authorize",
    token: "https://open.tiktokapis.com/v2/oauth/token/",
    userInfo: "https://open.tiktokapis.com/v2/user/info/",
  },
  authorization: {
    response_type: "code",
    client_key: "awkey",
    state: "{state}",
    redirect_uri: "{redirect}",
    scope: "user.info.profile,configured,requested",
  },
  exchange: {
    method: "POST",
    parameters: {
      grant_type: "authorization_code",
      code: "{code}",
      redirect_uri: "{redirect}",
      client_key: "awkey",
      client_secret: "{secret}",
    },
  },
  answer: {
    body: {
      access_token: "act.access",
      expires_in: 86400,
      open_id: "723f24d7-e717-40f8-a2b6-cb8464cd23b4",
      refresh_expires_in: 31536000,
      refresh_token: "rft.refresh",
      scope: "user.info.basic,user.info.profile",
      token_type: "Bearer",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "act.access",
    refreshToken: "rft.refresh",
    scopes: ["user.info.basic", "user.info.profile"],
  },
  expiresIn: { access: 86400, refresh: 31536000 },
  reads: [
    {
      endpoint: "userInfo",
      sent: {
        method: "GET",
        parameters: { fields: "open_id,avatar_large_url,display_name,username" },
        headers: { authorization: "Bearer {access}" },
      },
      answer: answer(ann),
    },
  ],
  user: {
    id: "723f24d7-e717-40f8-a2b6-cb8464cd23b4",
    name: "Ann",
    email: "723f24d7-e717-40f8-a2b6-cb8464cd23b4@tiktok.invalid",
    image: "https://p19-sign.tiktokcdn-us.com/ann.jpeg",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "an address that TikTok does not verify",
      answers: [answer({ ...ann, email: "ann@example.com", email_verified: true })],
      user: { email: "ann@example.com", emailVerified: false },
    },
    {
      case: "neither display name nor picture",
      answers: [answer({ ...ann, display_name: "", avatar_large_url: null })],
      user: { name: "ann.example", image: undefined },
    },
    {
      case: "a refusal",
      answers: [{ body: { data: {}, error: { code: "scope_not_authorized", message: "no" } } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: {
      method: "POST",
      parameters: {
        grant_type: "refresh_token",
        refresh_token: "{refresh}",
        client_key: "awkey",
        client_secret: "{secret}",
      },
    },
    answer: {
      body: {
        access_token: "act.next",
        expires_in: 86400,
        open_id: "723f24d7-e717-40f8-a2b6-cb8464cd23b4",
        refresh_expires_in: 31536000,
        refresh_token: "rft.next",
        scope: "user.info.profile",
        token_type: "Bearer",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "act.next",
      refreshToken: "rft.next",
      scopes: ["user.info.profile"],
    },
  },
  errors: [
    {
      body: {
        error: "invalid_request",
        error_description: "The request parameters are malformed.",
        log_id: "202206221854370101130062072500FFA2",
      },
    },
  ],
};
