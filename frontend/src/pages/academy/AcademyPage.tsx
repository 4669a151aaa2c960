import { FormattedMessage } from 'react-intl';

import { ProfileLayout } from '../../shell/ProfileLayout';
import { PageHeading } from '../../ui/PageHeading';
import { Catalogue } from './Catalogue';
import { LearningPaths } from './LearningPaths';
import { SummaryFigures } from './SummaryFigures';
import { useCourses, useLearningPaths, useSummary } from './useAcademy';

/** `/academy`: what the member learns, and what there is to learn (spec section 2, Academy). */
export function AcademyPage() {
  const courses = useCourses();
  const paths = useLearningPaths();
  const summary = useSummary();
  return (
    <ProfileLayout>
      <PageHeading
        title={<FormattedMessage id="academy.title" />}
        lead={<FormattedMessage id="academy.lead" />}
      >
        <SummaryFigures summary={summary} />
      </PageHeading>
      <LearningPaths paths={paths} courses={courses} />
      <Catalogue courses={courses} />
    </ProfileLayout>
  );
}
