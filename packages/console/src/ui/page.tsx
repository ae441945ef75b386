import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { Icon } from './icon.tsx';

interface Props {
  title: string;
  /** A line below the title. */
  text?: ReactNode;
  back?: { to: string; label: string };
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: title, actions, contents. */
export function Page({ title, text, back, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Switchboard`;
  }, [title]);
  return (
    <div className="page">
      {back && (
        <Link to={back.to} className="back">
          <Icon name="back" size={14} />
          {back.label}
        </Link>
      )}
      <div className="page-head">
        <div className="page-title">
          <h1>{title}</h1>
          {text && <p className="muted">{text}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** A section of a page, with a heading. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>{title}</h2>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
