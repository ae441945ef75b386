/** Fields that a form does not show, and a button for those who want to see them. */
export function AlsoSet({ places, onJson }: { places: string[]; onJson: () => void }) {
  if (places.length === 0) return null;
  return (
    <p className="also-set muted small">
      Also set:{' '}
      {places.map((place, at) => (
        <span key={place}>
          {at > 0 && ', '}
          <code>{place}</code>
        </span>
      ))}
      .{' '}
      <button type="button" className="link" onClick={onJson}>
        Show in the JSON
      </button>
    </p>
  );
}
