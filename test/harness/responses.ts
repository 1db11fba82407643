/** The parts of a response that a client uses. */
export interface ClientResponse<Body> {
  status: number;
  body: Body;
  cookies: string[];
}

export const readResponse = async <Body = unknown>(
  response: Response,
): Promise<ClientResponse<Body>> => {
  const text = await response.text();
  return {
    status: response.status,
    body: (text === "" ? undefined : JSON.parse(text)) as Body,
    cookies: response.headers.getSetCookie(),
  };
};

/** Returns the response that a client gets for an error: no cookie, only code and message. */
export const errorResponse = (status: number, code: string, message: string) => ({
  status,
  body: { code, message },
  cookies: [],
});
