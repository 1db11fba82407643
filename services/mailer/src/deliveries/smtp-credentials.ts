/** All text forms of the user and password of an SMTP server. */
export interface SmtpCredentials {
  user: string[];
  password: string[];
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const encode = (text: string): string => Buffer.from(text).toString("base64").replace(/=+$/, "");

/** Returns the credentials of an SMTP URL, as written there and as sent to the server. Empty if it has none. */
export const credentialsOf = (smtpUrl: string): SmtpCredentials => {
  const { username, password } = new URL(smtpUrl);
  const [user, secret] = [decode(username), decode(password)];
  return {
    user: user ? [username, user, encode(user)] : [],
    password: secret ? [password, secret, encode(secret), encode(`\0${user}\0${secret}`)] : [],
  };
};
