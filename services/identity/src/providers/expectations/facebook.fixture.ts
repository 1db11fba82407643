import { type Expectation, codeFlow, exchangeOf } from "../expectation.fixture.ts";

const ann = {
  id: "10158917632845123",
  name: "Ann Example",
  email: "ann@example.com",
  picture: {
    data: {
      height: 50,
      is_silhouette: false,
      url: "https://platform-lookaside.fbsbx.com/platform/profilepic/ann",
      width: 50,
    },
  },
};
const claims = {
  sub: "10158917632845123",
  name: "Ann Example",
  email: "ann@example.com",
  email_verified: true,
  picture: "https://platform-lookaside.fbsbx.com/platform/profilepic/claimed",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://www.facebook.com/v24.0/dialog/oauth",
    token: "https://graph.facebook.com/v24.0/oauth/access_token",
    userInfo: "https://graph.facebook.com/me",
    jwks: "https://limited.facebook.com/.well-known/oauth/openid/jwks/",
    tokenInfo: "https://graph.facebook.com/debug_token",
  },
  authorization: {
    ...codeFlow,
    scope: "email public_profile configured requested",
    login_hint: "ann@example.com",
  },
  variants: [
    {
      case: "a configuration",
      options: { configId: "1234567890" },
      authorization: { config_id: "1234567890" },
    },
  ],
  options: { fields: ["birthday"] },
  exchange: exchangeOf(),
  answer: {
    body: { access_token: "EAAJZC.access", token_type: "bearer", expires_in: 5183944 },
  },
  tokens: { tokenType: "bearer", accessToken: "EAAJZC.access" },
  expiresIn: { access: 5183944 },
  issuer: "https://www.facebook.com",
  reads: [
    {
      endpoint: "userInfo",
      sent: {
        method: "GET",
        parameters: { fields: "id,name,email,picture,birthday" },
        headers: { authorization: "Bearer {access}" },
      },
      answer: { body: ann },
    },
  ],
  user: {
    id: "10158917632845123",
    name: "Ann Example",
    email: "ann@example.com",
    image: "https://platform-lookaside.fbsbx.com/platform/profilepic/ann",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "a claim of verification",
      answers: [{ body: { ...ann, email_verified: true } }],
      user: { email: "ann@example.com", emailVerified: true },
    },
    {
      case: "neither address nor picture",
      answers: [{ body: { id: ann.id, name: ann.name } }],
      user: { email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "an id token, whose address it does not vouch for",
      answer: { id_token: "{idToken}" },
      claims,
      user: {
        id: ann.id,
        name: "Ann Example",
        email: "ann@example.com",
        image: claims.picture,
        emailVerified: false,
      },
    },
    {
      case: "an id token of another issuer",
      answer: { id_token: "{idToken}" },
      claims,
      issuer: "https://facebook.example.com",
      user: undefined,
    },
  ],
  refresh: {
    sent: {
      method: "POST",
      parameters: {
        grant_type: "refresh_token",
        refresh_token: "kept",
        client_id: "{client}",
        client_secret: "{secret}",
      },
    },
    answer: { body: { access_token: "EAAJZC.next", token_type: "bearer", expires_in: 5183944 } },
    tokens: { tokenType: "bearer", accessToken: "EAAJZC.next" },
  },
  errors: [
    {
      status: 400,
      body: {
        error: {
          message: "This authorization code has been used.",
          type: "OAuthException",
          code: 100,
          error_subcode: 36009,
          fbtrace_id: "A-7PB8",
        },
      },
    },
  ],
};
