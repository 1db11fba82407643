import { type Expectation, codeFlow, withChallenge } from "../expectation.fixture.ts";

const userId =
  "https://www.paypal.com/webapps/auth/identity/user/mWq6_1sU85v5EG9yHdPxJRrhGHrnMJ-1PQKtX6pcsmA";

const profile = {
  user_id: userId,
  sub: userId,
  name: "Identity Test",
  given_name: "Identity",
  family_name: "Test",
  payer_id: "WDJJHEBZ4X2LY",
  address: { street_address: "1 Main St", locality: "San Jose", country: "US" },
  verified_account: "true",
  email: "user1@example.com",
  email_verified: true,
  picture: "https://pictures.example.com/identity.png",
};

const headers = {
  authorization: "Basic {basic}",
  "accept-language": "en_US",
  accept: "application/json",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://www.sandbox.paypal.com/signin/authorize",
    token: "https://api-m.sandbox.paypal.com/v1/oauth2/token",
    userInfo: "https://api-m.sandbox.paypal.com/v1/identity/oauth2/userinfo",
  },
  authorization: { ...codeFlow, ...withChallenge, scope: "configured requested" },
  variants: [
    {
      case: "environment live has other endpoints",
      options: { environment: "live" },
      endpoints: {
        authorization: "https://www.paypal.com/signin/authorize",
        token: "https://api-m.paypal.com/v1/oauth2/token",
        userInfo: "https://api-m.paypal.com/v1/identity/oauth2/userinfo",
      },
    },
  ],
  exchange: {
    method: "POST",
    parameters: {
      grant_type: "authorization_code",
      code: "{code}",
      code_verifier: "{verifier}",
      redirect_uri: "{redirect}",
    },
    headers,
  },
  answer: {
    body: {
      scope: "https://uri.paypal.com/services/paypalattributes openid profile email",
      access_token: "A23AAF5Lrcf5-wY2qkNuM5aqW0Vx",
      token_type: "Bearer",
      app_id: "APP-80W284485P519543T",
      expires_in: "32400",
      id_token: "{idToken}",
      refresh_token: "R23AAHcITRZ7dUw9",
      nonce: "2022-05-04T13:00:00ZLRlKhcQKZFWB8Yk6hb0ghC-",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "A23AAF5Lrcf5-wY2qkNuM5aqW0Vx",
    refreshToken: "R23AAHcITRZ7dUw9",
    idToken: "{idToken}",
    scopes: ["https://uri.paypal.com/services/paypalattributes", "openid", "profile", "email"],
  },
  expiresIn: { access: 32_400 },
  claims: { sub: userId },
  issuer: "https://www.sandbox.paypal.com",
  reads: [
    {
      endpoint: "userInfo",
      sent: {
        method: "GET",
        parameters: { schema: "paypalv1.1" },
        headers: { authorization: "Bearer {access}" },
      },
      answer: { body: profile },
    },
  ],
  user: {
    id: userId,
    name: "Identity Test",
    email: "user1@example.com",
    image: "https://pictures.example.com/identity.png",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "there is no id token, as openid was not asked for",
      answer: { id_token: undefined },
      user: { id: userId },
    },
    {
      case: "the id token is PayPal's by the name of its API",
      issuer: "https://api.sandbox.paypal.com",
      user: { id: userId },
    },
    {
      case: "the profile names the subject by user_id alone",
      answers: [{ body: { ...profile, sub: undefined } }],
      user: { id: userId },
    },
    {
      case: "the profile is of another user than the id token",
      answers: [{ body: { ...profile, sub: "somebody-else", user_id: "somebody-else" } }],
      user: undefined,
    },
    {
      case: "the address is not verified",
      answers: [{ body: { ...profile, email_verified: false } }],
      user: { email: "user1@example.com", emailVerified: false },
    },
    {
      case: "a verified account says nothing of the address",
      answers: [{ body: { ...profile, email_verified: undefined } }],
      user: { email: "user1@example.com", emailVerified: false },
    },
    {
      case: "no address, name and picture",
      answers: [{ body: { user_id: userId } }],
      user: { name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "the token is refused",
      answers: [{ status: 401, body: { name: "INVALID_TOKEN", message: "invalid" } }],
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
      body: { access_token: "A23AAF5Lrcf5-2", token_type: "Bearer", expires_in: 28_800 },
    },
    tokens: { tokenType: "Bearer", accessToken: "A23AAF5Lrcf5-2" },
  },
  errors: [
    {
      status: 401,
      body: { error: "invalid_client", error_description: "Client Authentication failed" },
    },
    { status: 400, body: { name: "INVALID_REQUEST", message: "Request is not well-formed" } },
  ],
};
