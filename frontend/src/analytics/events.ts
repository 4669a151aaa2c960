/** The pages that say where something happened, by the names of frontend/routes.json. */
type PageName =
  | 'crossroad'
  | 'events'
  | 'landing'
  | 'landing-sailors'
  | 'landing-companies'
  | 'marketplace'
  | 'newsletter'
  | 'profile'
  | 'sign-in'
  | 'sign-up'
  | 'not-found';

/** The buttons that spec section 2 names, by their English labels; an event of the calendar is one too. */
type ButtonName =
  | 'back'
  | 'back_to_home'
  | 'cancel'
  | 'create_account'
  | 'create_your_free_profile'
  | 'early_access'
  | 'edit_profile'
  | 'event'
  | 'explore_features'
  | 'get_started'
  | 'go_back'
  | 'join'
  | 'join_the_community'
  | 'resend_verification'
  | 'retry'
  | 'save_changes'
  | 'set_sail'
  | 'sign_in'
  | 'start_advertising'
  | 'start_your_journey'
  | 'view_details';

type UserType = 'sailor' | 'company';

/**
 * The usage analytics events (spec section 1) and what each says: nothing that tells who the visitor is.
 *
 * docs/analytics.md has them as a table; what is added here is added there.
 */
export interface AnalyticsEvents {
  /** `item` is the id of what was opened, where there are several. */
  button_click: { button: ButtonName; location: PageName; item?: string };
  /** A link to another page of ours was followed; `area` is the landmark or the dialog that it stands in. */
  navigation: { from_path: string; to_path: string; area: string };
  /**
   * A subscription was taken. The landing page that led to it is not called `source`: to Google Analytics
   * that parameter is the campaign which brought the visitor.
   */
  newsletter_signup: { user_type: UserType; signup_source?: 'landing-sailors' | 'landing-companies' };
  user_type_selection: { user_type: UserType; location: PageName };
  /**
   * `item` is the address of the link that was chosen; a button has none. A menu that closes because something was
   * chosen in it does not say `close` too.
   */
  menu_interaction: {
    menu: 'overlay' | 'phone' | 'user';
    action: 'open' | 'close' | 'choose';
    item?: string;
  };
  page_view: { page_path: string; page_title: string; language: string };
}
