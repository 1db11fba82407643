/** Who signs in at an SMTP server: everything that the one or the other can be told by. */
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

/** The credentials of an SMTP URL, as they stand there and as they go to its server; no form where it has none. */
export const credentialsOf = (smtpUrl: string): SmtpCredentials => {
  const { username, password } = new URL(smtpUrl);
  const [user, secret] = [decode(username), decode(password)];
  return {
    user: user ? [username, user, encode(user)] : [],
    password: secret ? [password, secret, encode(secret), encode(`\0${user}\0${secret}`)] : [],
  };
};
