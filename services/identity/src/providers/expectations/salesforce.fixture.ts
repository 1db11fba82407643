import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const subject = "https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P";

const profile = {
  sub: subject,
  user_id: "005x00000012Q9P",
  organization_id: "00Dx0000000BV7z",
  preferred_username: "ann@example.org.sandbox",
  nickname: "ann",
  name: "Ann Example",
  email: "ann@example.org",
  email_verified: true,
  given_name: "Ann",
  family_name: "Example",
  zoneinfo: "Europe/Berlin",
  photos: {
    picture: "https://files.example.com/profilephoto/005/F",
    thumbnail: "https://files.example.com/profilephoto/005/T",
  },
  active: true,
  user_type: "STANDARD",
};

const endpointsAt = (host: string) => ({
  authorization: `https://${host}/services/oauth2/authorize`,
  token: `https://${host}/services/oauth2/token`,
  userInfo: `https://${host}/services/oauth2/userinfo`,
  revoke: `https://${host}/services/oauth2/revoke`,
});

export const expectation: Expectation = {
  endpoints: endpointsAt("login.salesforce.com"),
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "openid email profile configured requested",
    nonce: "{nonce}",
  },
  variants: [
    {
      case: "environment sandbox has other endpoints",
      options: { environment: "sandbox" },
      endpoints: endpointsAt("test.salesforce.com"),
    },
    {
      case: "loginUrl is a custom domain",
      options: { environment: "sandbox", loginUrl: "example.my.salesforce.com" },
      endpoints: endpointsAt("example.my.salesforce.com"),
    },
  ],
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "00Dx0000000BV7z!AR8AQAxo9UfVkh8AlV0Gomt9Czx9LjHnSSpwBMmbRcgKFmxOtvxjTrKW",
      refresh_token: "5Aep8614iLM.Dq661ePDmPEgaAW9Oh_L3JKkDpB4xReb54_pZfVti1dPEk",
      signature: "ts6wm/svX3jXlCGR4uu+SbA04M6bhD1SAgVTEwZ59P4=",
      scope: "email openid profile refresh_token",
      id_token: "{idToken}",
      instance_url: "https://example.my.salesforce.com",
      id: subject,
      token_type: "Bearer",
      issued_at: "1558553873237",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "00Dx0000000BV7z!AR8AQAxo9UfVkh8AlV0Gomt9Czx9LjHnSSpwBMmbRcgKFmxOtvxjTrKW",
    refreshToken: "5Aep8614iLM.Dq661ePDmPEgaAW9Oh_L3JKkDpB4xReb54_pZfVti1dPEk",
    idToken: "{idToken}",
    scopes: ["email", "openid", "profile", "refresh_token"],
  },
  claims: { sub: subject, at_hash: "oqNRrm1rHuG6gUVYAJEPTw" },
  issuer: "https://login.salesforce.com",
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "005x00000012Q9P",
    name: "Ann Example",
    email: "ann@example.org",
    image: "https://files.example.com/profilephoto/005/F",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "only a thumbnail",
      answers: [{ body: { ...profile, photos: { thumbnail: "https://files.example.com/T" } } }],
      user: { image: "https://files.example.com/T" },
    },
    {
      case: "there are no photos and no address",
      answers: [{ body: { ...profile, photos: undefined, email: undefined } }],
      user: { image: undefined, email: undefined, emailVerified: false },
    },
    {
      case: "the address is not verified",
      answers: [{ body: { ...profile, email_verified: false } }],
      user: { email: "ann@example.org", emailVerified: false },
    },
    {
      case: "nothing is said of verification",
      answers: [{ body: { ...profile, email_verified: undefined } }],
      user: { emailVerified: false },
    },
    {
      case: "the token is refused",
      answers: [{ status: 403, type: "text/html", body: "Bad_OAuth_Token" }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "00Dx0000000BV7z!AR8AQAxo9-2",
        signature: "ts6wm/svX3jXlCGR4uu+SbA04M6bhD1SAgVTEwZ59P4=",
        scope: "email openid profile refresh_token",
        instance_url: "https://example.my.salesforce.com",
        id: subject,
        token_type: "Bearer",
        issued_at: "1558553873999",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "00Dx0000000BV7z!AR8AQAxo9-2",
      scopes: ["email", "openid", "profile", "refresh_token"],
    },
  },
  errors: [
    {
      status: 400,
      body: { error: "invalid_grant", error_description: "expired authorization code" },
    },
    {
      status: 401,
      body: { error: "invalid_client", error_description: "invalid client credentials" },
    },
  ],
};
