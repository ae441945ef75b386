import type { ReactNode } from 'react';

/** Something that is wrong, which screen readers say at once; nothing without it. */
export const Problem = ({ children }: { children: ReactNode }) =>
  children ? (
    <p className="problem" role="alert">
      {children}
    </p>
  ) : null;
