/** What of a provider's options tells how it answers and where its pages are. */
interface Provider {
  readonly enabled: boolean;
  readonly responseMode?: "query" | "form_post" | undefined;
  readonly endpoints: { readonly authorization?: string | undefined };
  readonly issuer?: string | undefined;
  readonly authority?: string | undefined;
}

/** Who answers by form without being told to, and where its pages are. */
const apple = { id: "apple", pages: "https://appleid.apple.com" };

const answersByForm = (id: string, { enabled, responseMode }: Provider): boolean =>
  enabled && (responseMode ?? (id === apple.id ? "form_post" : "query")) === "form_post";

const pageOf = (id: string, { endpoints, issuer, authority }: Provider): string | undefined =>
  endpoints.authorization ?? issuer ?? authority ?? (id === apple.id ? apple.pages : undefined);

/** The origins of the pages that post a provider's answer to us, as far as the options tell where those are. */
export const providerPageOrigins = (
  providers: Readonly<Record<string, Provider | undefined>>,
): string[] => {
  const origins = new Set<string>();
  for (const [id, provider] of Object.entries(providers)) {
    const page = provider && answersByForm(id, provider) ? pageOf(id, provider) : undefined;
    if (page !== undefined) origins.add(new URL(page).origin);
  }
  return [...origins];
};
