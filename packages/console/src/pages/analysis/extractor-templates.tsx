import { Link } from 'wouter';
import { headingOf } from '../../data/analysis-words.ts';
import { fieldsOf } from '../../data/extractor-content.ts';
import { EXTRACTOR_TEMPLATES } from '../../data/extractor-templates.ts';
import { Icon } from '../../ui/icon.tsx';

/** Extractors to begin with; each opens as a form that is not saved yet. */
export function ExtractorTemplates({ isFirst }: { isFirst: boolean }) {
  return (
    <section className="templates" aria-label="Templates">
      {isFirst ? (
        <div className="welcome">
          <h2>Ask your calls a question</h2>
          <p className="muted">
            Begin with one of these, change its questions, save it, and choose it in an agent. The next calls of that
            agent are then analysed.
          </p>
        </div>
      ) : (
        <h2>Begin with a template</h2>
      )}
      <div className="cards">
        {EXTRACTOR_TEMPLATES.map(({ name, title, description, content }) => (
          <Link key={name} to={`/analysis/extractors/new/${name}`} className="card">
            <span className="strong">{title}</span>
            <span className="muted">{description}</span>
            <span className="card-shows">
              {fieldsOf(content).map((field) => (
                <span key={field.name}>{headingOf(field.name)}</span>
              ))}
            </span>
            <span className="card-action">
              Begin <Icon name="plus" size={14} />
            </span>
          </Link>
        ))}
      </div>
    </section>
  );
}
