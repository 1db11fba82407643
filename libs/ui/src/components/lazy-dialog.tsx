import { type ComponentType, lazy, Suspense, useState } from "react";

/** Returns a dialog whose code loads when it opens for the first time. */
export const lazyDialog = <Props extends { isOpen: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  const Loaded = lazy(async () => ({ default: await load() }));
  return (props) => {
    const [wasOpen, setWasOpen] = useState(props.isOpen);
    if (props.isOpen && !wasOpen) setWasOpen(true);
    // It stays after it was closed, so that closing is animated.
    return wasOpen ? (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    ) : null;
  };
};
