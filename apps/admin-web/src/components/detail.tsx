import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { ErrorState } from "./errors/error-state.tsx";
import { Page } from "./page.tsx";

interface DetailProps<Data> extends Pick<ComponentProps<typeof Page>, "trail"> {
  reading: UseQueryResult<Data>;
  /** The kind of thing, such as "User": the title until its own is known. */
  kind: string;
  /** The page of what was read. */
  children: (data: Data) => ReactNode;
}

/** A screen about one thing. Until it was read, a placeholder takes its place, or why it could not be read. */
export const Detail = <Data,>({ reading, kind, trail, children }: DetailProps<Data>) => {
  const { data, error, refetch } = reading;
  if (data !== undefined) return children(data);
  return (
    <Page title={kind} trail={trail}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-96 w-full" />
        </>
      )}
    </Page>
  );
};
