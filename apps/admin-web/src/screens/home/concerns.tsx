import { Link } from "@tanstack/react-router";
import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import { messageOf } from "../../api/advice-of.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import type { Concern } from "./concerns-of.ts";
import { useConcerns } from "./use-concerns.ts";

const Title = ({ title, to, search }: Concern) => {
  if (to === undefined) return title;
  // The cast is needed because the concern names any screen.
  const way = { to, search: search ?? {} } as unknown as { to: "/" };
  return (
    <Link {...way} className="rounded underline underline-offset-2">
      {title}
    </Link>
  );
};

const ConcernItem = ({ concern }: { concern: Concern }) => (
  <li className="flex gap-2.5 border-b py-2.5 first:pt-0 last:border-b-0 last:pb-0">
    {concern.isGrave ? (
      <OctagonAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
    ) : (
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
    )}
    <div className="min-w-0">
      <p className="font-medium break-words">
        {concern.isGrave && <span className="sr-only">Urgent: </span>}
        <Title {...concern} />
      </p>
      <p className="break-words text-muted">
        <bdi>{concern.advice}</bdi>
      </p>
    </div>
  </li>
);

const Unknown = ({ errors, retry }: { errors: readonly Error[]; retry: () => void }) => (
  <div className="mt-3 flex flex-wrap items-center justify-between gap-2 border-t pt-3">
    <p className="min-w-0 break-words text-muted">Some checks failed. {messageOf(errors[0])}</p>
    <Button size="small" onClick={retry}>
      Retry
    </Button>
  </div>
);

/** Shows the problems to look at and what to do about each. */
export const Concerns = () => {
  const { isBlind, concerns, isPending, errors, retry } = useConcerns();
  if (isBlind) return null;
  return (
    // Has a fixed height if other content is below it, so that a changing number of concerns moves nothing.
    <Card title="Needs attention" className="max-xl:flex max-xl:h-72 max-xl:flex-col">
      {concerns.length > 0 && !isPending && (
        <ul
          // Makes a long list scrollable by keyboard.
          tabIndex={0}
          aria-label="What needs attention"
          className="max-xl:min-h-0 max-xl:overflow-y-auto"
        >
          {concerns.map((concern) => (
            <ConcernItem key={concern.title} concern={concern} />
          ))}
        </ul>
      )}
      {isPending && (
        <div className="flex flex-col gap-2">
          <Skeleton className="w-64 max-w-full" />
          <Skeleton className="w-96 max-w-full" />
        </div>
      )}
      {concerns.length === 0 && !isPending && errors.length === 0 && (
        <p className="flex items-center gap-2.5">
          <CircleCheck aria-hidden="true" className="size-4 text-success" />
          No problems found.
        </p>
      )}
      {errors.length > 0 && <Unknown errors={errors} retry={retry} />}
    </Card>
  );
};
