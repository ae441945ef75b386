import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface Props {
  title: string;
  text?: ReactNode;
  /** A link to the next step. */
  to?: string;
  action?: string;
  children?: ReactNode;
}

/** Shown in place of an empty list, with the next step. */
export function Empty({ title, text, to, action, children }: Props) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {text && <p className="muted">{text}</p>}
      {to && action && (
        <Link to={to} className="button primary">
          {action}
        </Link>
      )}
      {children}
    </div>
  );
}
